/**
 * What is on the analysis board as a value: a tree of moves, which of its positions is shown, and what the game is
 * called that it came from. Turns addresses, games and PGN into such values and back. Asks the judge, shows nothing.
 *
 * @typedef {import('./tree.js').Tree} Tree
 * @typedef {import('./judge.js').Judge} Judge
 * @typedef {import('../board/variant.js').Variant} Variant
 * @typedef {{white: string, black: string}} Players
 * @typedef {{tree: Tree, at: number, chess960: boolean, players: Players | null}} Study
 */
import { t } from '../words.js';
import { MOST_STEPS, readFragment, writeFragment } from './fragment.js';
import { Refused } from './judge.js';
import { writePgn } from './pgn.js';
import { ROOT, inOrder, lineThrough, nodeAt, outline, plant, regrow, stepsOf } from './tree.js';

/** @param {string} fen @param {boolean} chess960 @param {boolean} check @returns {Study} */
export const begin = (fen, chess960, check = false) => ({ tree: plant(fen, check), at: ROOT, chess960, players: null });

/**
 * @param {Judge} judge @param {import('./fragment.js').Line} line
 * @returns {Promise<Study>} @throws {Refused}
 */
export async function fromLine(judge, { fen, chess960, steps, shown }) {
  const answer = await judge.line({ fen, chess960, steps });
  const { tree, ids } = regrow(plant(answer.fen, answer.check), steps, answer.plies);
  const at = shown === 0 ? ROOT : ids[(shown ?? ids.length) - 1] ?? ROOT;
  return { tree, at, chess960, players: null };
}

/** @param {Judge} judge @param {string} text the part of an address behind # @returns {Promise<Study>} @throws {Refused} */
export function fromFragment(judge, text) {
  const line = readFragment(text);
  if (!line) throw new Refused(t('analysis.broken_link'));
  return fromLine(judge, line);
}

/** A game of this site, shown at a half-move. @param {string} id @param {number | null} ply null: its end
 * @returns {Promise<Study>} @throws {Refused} */
export async function fromGame(id, ply) {
  const answer = await fetch(`/api/games/${id}`).catch(() => null);
  if (!answer) throw new Refused(t('analysis.unreachable'));
  if (!answer.ok) throw new Refused(t('analysis.no_game'));
  const game = await answer.json();
  const players = { white: game.white?.name ?? '?', black: game.black?.name ?? '?' };
  return fromMoves(game.start_fen, game.moves, game.chess960, players, ply);
}

/** @param {import('./judge.js').PgnGame} game @returns {Study} */
export const fromPgn = ({ fen, plies, chess960, white, black }) =>
  fromMoves(fen, plies, chess960, { white, black }, null);

/** @param {string} fen @param {{uci: string, san: string, fen: string}[]} moves @param {boolean} chess960
 *  @param {Players} players @param {number | null} ply @returns {Study} */
function fromMoves(fen, moves, chess960, players, ply) {
  const reached = moves.map(move => ({ ...move, check: /[+#]$/.test(move.san) }));
  const { tree, ids } = regrow(plant(fen, false), reached.map(({ uci }) => uci), reached);
  const at = ply === 0 ? ROOT : ids[Math.min(ply ?? ids.length, ids.length) - 1] ?? ROOT;
  return { tree, at, chess960, players };
}

/**
 * @param {Study} study @param {string} startFen of the variant
 * @returns {{fragment: string, whole: boolean}} whole: false when the variations had to be left out
 */
export function toFragment({ tree, at, chess960 }, startFen) {
  const all = stepsOf(tree);
  const whole = all.length <= MOST_STEPS;
  const line = whole ? inOrder(tree).map(({ node }) => node) : lineThrough(tree, at).slice(0, MOST_STEPS);
  const shown = line.findIndex(({ id }) => id === at) + 1;
  const { fen } = nodeAt(tree, ROOT);
  const fragment = writeFragment({
    fen: fen === startFen ? null : fen, chess960, steps: whole ? all : line.map(({ uci }) => uci),
    shown: shown === line.length ? null : shown,
  });
  return { fragment, whole };
}

/**
 * The whole tree as PGN, with its variations.
 * @param {Study} study @param {Variant} variant @param {[string, string]} names in the Variant tag, plain and shuffled
 */
export function toPgn({ tree, chess960, players }, variant, names) {
  const { fen } = nodeAt(tree, ROOT);
  const tags = {
    Event: t('analysis.title'), Site: location.origin, Date: '????.??.??', Round: '-',
    White: players?.white ?? '?', Black: players?.black ?? '?', Result: '*', Variant: names[Number(chess960)],
    ...(chess960 || fen !== variant.startFen ? { SetUp: '1', FEN: fen } : {}),
  };
  return writePgn(tags, fen, outline(tree));
}
