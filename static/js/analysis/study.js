/**
 * A study, as a value: a tree of moves, which of its positions is shown, and the players and tags of the game that it came
 * from. Turns addresses, games and PGN into studies and back. Asks the judge, shows nothing.
 *
 * @import { Variant } from '../board/variant.js'
 * @import { Judge, PgnGame, PgnInfo } from '../game/judge.js'
 * @import { PlayedMove, Tree } from '../game/tree.js'
 * @typedef {{white: string, black: string}} Players
 * @typedef {{tree: Tree, at: number, chess960: boolean, players: Players | null, info: PgnInfo | null}} Study
 */
import { RequestFailed, request } from '../net/requests.js';
import { t } from '../words.js';
import { MOST_STEPS, readFragment, writeFragment } from '../game/fragment.js';
import { writePgn } from './pgn.js';
import { ROOT, inOrder, lineThrough, nodeAt, outline, pathTo, newTree, treeFromSteps, stepsOf } from '../game/tree.js';

/** @param {string} fen @param {boolean} chess960 @param {boolean} check @returns {Study} */
export const newStudy = (fen, chess960, check = false) => ({
  tree: newTree(fen, check),
  at: ROOT,
  chess960,
  players: null,
  info: null,
});

/** @param {Judge} judge @param {import('../game/fragment.js').SharedLine} line @returns {Promise<Study>} @throws {RequestFailed} */
export async function fromLine(judge, { fen, chess960, steps, shown }) {
  const answer = await judge.line({ fen, chess960, steps });
  const { tree, ids } = treeFromSteps(newTree(answer.fen, answer.check), steps, answer.plies);
  const at = shown === 0 ? ROOT : (ids[(shown ?? ids.length) - 1] ?? ROOT);
  return { tree, at, chess960, players: null, info: null };
}

/** @param {Judge} judge @param {string} text of an address, after the # @returns {Promise<Study>} @throws {RequestFailed} */
export function fromFragment(judge, text) {
  const line = readFragment(text);
  if (!line) throw new RequestFailed(t('analysis.broken_link'));
  return fromLine(judge, line);
}

/** A game played on this site, at a half-move. @param {Judge} judge @param {string} id @param {number | null} ply null: its end
 * @returns {Promise<Study>} @throws {RequestFailed} */
export async function fromGame(judge, id, ply) {
  const game = await ask(`/api/games/${id}`, answer => answer.json());
  if (game.annotated) {
    const study = fromPgn(await judge.game(await ask(`/api/games/${id}.pgn`, answer => answer.text())));
    const main = lineThrough(study.tree, ROOT);
    return ply === null ? study : { ...study, at: main[Math.min(ply, main.length) - 1]?.id ?? ROOT };
  }
  const players = { white: game.white?.name ?? '?', black: game.black?.name ?? '?' };
  /** @type {PlayedMove[]} */
  const reached = game.moves.map(
    (/** @type {{uci: string, san: string, fen: string, left: number | null}} */ { uci, san, fen, left }) => ({
      uci,
      san,
      fen,
      check: /[+#]$/.test(san),
      notes: left === null ? {} : { clock: left },
    }),
  );
  const { tree, ids } = treeFromSteps(
    newTree(game.start_fen, false),
    reached.map(({ uci }) => uci),
    reached,
  );
  const at = ply === 0 ? ROOT : (ids[Math.min(ply ?? ids.length, ids.length) - 1] ?? ROOT);
  return { tree, at, chess960: game.chess960, players, info: { tags: {}, result: game.result ?? '*', comments: [] } };
}

/**
 * @template T
 * @param {string} address @param {(answer: Response) => Promise<T>} read
 * @returns {Promise<T>} @throws {RequestFailed}
 */
async function ask(address, read) {
  const answer = await request(address);
  if (answer && !answer.ok) throw new RequestFailed(t('analysis.no_game'));
  const content = answer && (await read(answer).catch(() => null));
  if (content === null) throw new RequestFailed(t('lobby.unreachable'));
  return content;
}

/** Shows the end of the main line. @param {PgnGame} game @returns {Study} */
export function fromPgn({ fen, check, steps, plies, chess960, white, black, tags, result, comments }) {
  const { tree } = treeFromSteps(newTree(fen, check), steps, plies);
  return {
    tree,
    at: lineThrough(tree, ROOT).at(-1)?.id ?? ROOT,
    chess960,
    players: { white, black },
    info: { tags, result, comments },
  };
}

/**
 * @param {Study} study @param {string} startFen of the variant
 * @returns {{fragment: string, whole: boolean}} whole: false if the variations had to be left out
 */
export function toFragment({ tree, at, chess960 }, startFen) {
  const all = stepsOf(tree);
  const whole = all.length <= MOST_STEPS;
  const line = whole ? inOrder(tree).map(({ node }) => node) : lineThrough(tree, at).slice(0, MOST_STEPS);
  const shown = line.findIndex(({ id }) => id === at) + 1;
  const { fen } = nodeAt(tree, ROOT);
  const fragment = writeFragment({
    fen: fen === startFen ? null : fen,
    chess960,
    steps: whole ? all : line.map(({ uci }) => uci),
    shown: shown === line.length ? null : shown,
  });
  return { fragment, whole };
}

/**
 * The address of what is on the board. A game that has not been changed keeps its own short address.
 * @param {Study} study @param {{pathname: string, search: string}} address @param {string} startFen of the variant
 * @param {boolean} unchanged since it was opened
 */
export function addressOf(study, { pathname, search }, startFen, unchanged) {
  const ofGame = unchanged && new URLSearchParams(search).has('game');
  const { fragment } = ofGame ? { fragment: `p${pathTo(study.tree, study.at).length}` } : toFragment(study, startFen);
  return (ofGame ? pathname + search : pathname) + (fragment && `#${fragment}`);
}

/**
 * The whole tree as PGN, with variations and comments.
 * @param {Study} study @param {Variant} variant @param {[string, string]} names in the Variant tag, plain and shuffled
 */
export function toPgn({ tree, chess960, players, info }, variant, names) {
  const { fen } = nodeAt(tree, ROOT);
  const tags = {
    Event: t('nav.analysis_board'),
    Site: location.origin,
    Date: '????.??.??',
    Round: '-',
    White: players?.white ?? '?',
    Black: players?.black ?? '?',
    Result: info?.result ?? '*',
    Variant: names[Number(chess960)],
    ...(chess960 || fen !== variant.startFen ? { SetUp: '1', FEN: fen } : {}),
    ...info?.tags,
  };
  return writePgn(tags, fen, outline(tree), info?.comments);
}
