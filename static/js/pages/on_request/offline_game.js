/**
 * Loaded by the board of a game that is played offline: finds the game in this browser, or begins it, and seats the page at
 * it; and brings it to the server as soon as there is a connection, where it goes on. Knows the line that says so, and the address.
 *
 * @import { VariantRules } from '../../engine/rules/variant_rules.js'
 * @import { OfflineGame } from '../../offline/game.js'
 * @import { PageFacts } from '../round.js'
 */
import { compile } from '../../engine/rules/tables.js';
import { requestJson } from '../../net/requests.js';
import { bring, isWorthKeeping } from '../../offline/bringing.js';
import { begin, idThere, nextGame } from '../../offline/beginning.js';
import { KeptGames } from '../../offline/kept_games.js';
import { RulesBoard } from '../../explain/rules_board.js';
import { LocalServer } from '../../offline/local_server.js';
import { siteStorage } from '../../storage.js';
import { byId, setText } from '../../ui/dom.js';
import { show } from '../../ui/preferences.js';

/** ms between two tries to bring a game, while the browser believes that it has a line. */
const TRY_EVERY = 20_000;

const kept = new KeptGames();
const note = byId('offline-note');

/** @param {PageFacts} facts @param {(facts: PageFacts) => void} sit not called if there is no such game here, as the page says then */
export async function sitDown(facts, sit) {
  const local = await localServerOf(facts);
  if (local) sit({ ...facts, game: local.game.id, snapshot: local.snapshot(), local });
}

/** @param {PageFacts} facts @returns {Promise<LocalServer | null>} */
async function localServerOf(facts) {
  // The page was kept when other boards and pieces may have been chosen.
  show(siteStorage.json('preferences')?.all ?? {});
  /** @type {VariantRules} */
  const rules = await requestJson(`/api/variants/${facts.variant.id}`);
  const tables = compile(rules);
  const boardOf = (/** @type {OfflineGame} */ game) => {
    const board = new RulesBoard(facts.variant, tables, game.startFen, game.chess960);
    for (const [uci] of game.moves) board.play(uci);
    return board;
  };
  const game = await found(facts, rules, boardOf);
  if (!game) return null;
  const local = new LocalServer(game, {
    kept,
    boardOf,
    you: facts.you ?? '',
    rematch: game => keep(nextGame(game, rules)),
    now: Date.now,
    overtaken: () => location.reload(),
  });
  follow(local);
  return local;
}

/**
 * The game that the address names, or a new one as the address wants it. @param {PageFacts} facts @param {VariantRules} rules
 * @param {(game: OfflineGame) => RulesBoard} boardOf @returns {Promise<OfflineGame | null>}
 */
async function found(facts, rules, boardOf) {
  const asked = new URLSearchParams(location.search);
  const id = asked.get('game');
  try {
    if (id) await hold(id);
    if (id) return (await kept.find(id)) ?? missing(id);
    const game = begin(asked, rules, facts.chess960);
    await hold(game.id);
    const board = boardOf(game);
    if (board.ended) throw new Error('it is over before it begins');
    const address = await keep({ ...game, startFen: board.fen });
    if (!address) return told('full');
    history.replaceState(null, '', `/${address}`);
    return { ...game, startFen: board.fen };
  } catch {
    return told('failed');
  }
}

/** It has been brought meanwhile, perhaps. @param {string} id */
function missing(id) {
  if (navigator.onLine) location.replace(`/${idThere(id)}`);
  return told('gone');
}

/** Says why there is nothing on the board. @param {'full' | 'failed' | 'gone'} why @returns {null} */
function told(why) {
  setText(note, note.dataset[why] ?? '');
  note.classList.add('bad');
  return null;
}

/** Keeps a new game. @param {OfflineGame} game @returns {Promise<string | null>} where it is played; null: there are too many */
const keep = async game => ((await kept.add(game)) ? `computer/offline/${game.address}?game=${game.id}` : null);

/** As long as this page is open nobody else brings the game. @param {string} id */
const hold = id =>
  new Promise(resolve => {
    if (!navigator.locks) return resolve(undefined);
    void navigator.locks.request(`offline-game-${id}`, { mode: 'shared' }, () => {
      resolve(undefined);
      return new Promise(() => {});
    });
  });

/** Brings the game to the server whenever that may be possible, and goes there with it. @param {LocalServer} local */
function follow(local) {
  const tryNow = () => void local.inTurn(() => leave(local).catch(() => location.reload()));
  addEventListener('online', tryNow);
  setInterval(tryNow, TRY_EVERY);
  tryNow();
}

/** @param {LocalServer} local */
async function leave(local) {
  const { game } = local;
  if (!navigator.onLine || local.isRefused || !isWorthKeeping(game)) return;
  const brought = await bring(game, kept, fetch, Date.now());
  if (brought === 'there') location.replace(`/${idThere(game.id)}`);
  else if (brought !== 'later') {
    local.refused(brought);
    setText(note, (note.dataset.refused ?? '').replace('{reason}', brought.refused));
  }
}
