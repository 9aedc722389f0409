/**
 * The page of a tournament while it is open: being here means being paired. It keeps up with the table, the games and one's
 * own line, and leads to the board when a game begins. What is said is the server's; every button is a form of the page.
 *
 * @typedef {{kind: string, points: string, words: string}} Cell
 * @typedef {{place: number, name: string, rating: string, state: string, now: string, cells: Cell[], ties: string[], points: string, double: boolean, me: boolean}} Row
 * @typedef {{rows: Row[], page: number, size: number, first: number, last: number, of: number, mine: number}} Table
 * @typedef {{kind: string, place: string, of: string, points: string, title: string, text: string, acts: string[], game: string, was_in: boolean, sign_in: boolean}} Mine
 * @typedef {{table: Table, mine: Mine, boards: {game: string, words: string}[], players: string, rows_said: string, seconds: number, clock: string, clock_words: string, next_round: number, begun: number, over: boolean}} PageFacts
 */
import './notifications.js'; // in this file, so that the page has one request less
import { PROTOCOL } from '../net/messages.js';
import { openWithPage, socketAddress } from '../net/page_socket.js';
import { allowReload, reloadOnce } from '../net/reload.js';
import { requestJson } from '../net/requests.js';
import { Socket } from '../net/socket.js';
import { siteStorage } from '../storage.js';
import { byId, create, createLink, element, pageFacts, setText } from '../ui/dom.js';
import { personLink } from '../ui/person_link.js';
import { t } from '../words.js';

/** A change is asked about at most so often, and a crowd not all at once. */
const ASK_EVERY_MS = 1000;
const SPREAD_MS = 1000;
/** What nobody tells: that somebody has waited long, that time has run out. */
const ANYWAY_MS = 10_000;

/** @type {{id: string, facts: PageFacts}} */
const { id, facts: first } = pageFacts();
let facts = first;
/** When the tournament begins or ends, ms of the browser's own clock, which only counts down. */
let until = performance.now() + facts.seconds * 1000;
/** The page of the table that the reader has turned to; null: where they are. @type {number | null} */
let turned = new URLSearchParams(location.search).has('page') ? facts.table.page : null;

const rows = byId('rows');
const table = /** @type {HTMLElement} */ (rows.closest('.t-card'));

/** @param {Row} row */
function rowOf({ place, name, rating, state, now, cells, ties, points, double, me }) {
  const who = create('td', 'who', personLink(name, true));
  if (double) who.append(' ', Object.assign(create('span', 'twice', '×2'), { title: t('tournaments.double') }));
  who.append(' ', create('small', '', rating));
  if (me) who.append(' ', create('small', '', t('tournaments.you')));
  const played = cells.map(cell =>
    Object.assign(create('span', `gc ${cell.kind}`, cell.points), { title: cell.words }),
  );
  const made = create(
    'tr',
    [me && 'me', ['left', 'out', 'away'].includes(state) && 'out'].filter(Boolean).join(' '),
    Object.assign(create('th', 'place', String(place)), { scope: 'row' }),
    who,
    create('td', 'now', now),
    create('td', 'cells', create('span', 'cellrow', ...played)),
    ...ties.map(one => create('td', 'tie', one)),
    create('td', 'pts', points),
  );
  return made;
}

/** A table that moves under a finger or away from the focus cannot be used: it waits until both have left. */
const inUse = () => table.matches(':active') || table.contains(document.activeElement);

let drawn = JSON.stringify(facts.table.rows);
function drawTable() {
  const { rows: wanted, page, size, first: from, last, of, mine } = facts.table;
  const said = JSON.stringify(wanted);
  if (said === drawn) return;
  if (inUse()) return void setText(byId('page-said'), t('tournaments.changes'));
  drawn = said;
  rows.replaceChildren(...wanted.map(rowOf));
  setText(byId('players-number'), facts.players);
  byId('nobody').hidden = of > 0;
  byId('files').hidden = !of;
  byId('pager').hidden = of <= size;
  setText(byId('page-said'), facts.rows_said);
  const [before, after] = [element('page-before', HTMLAnchorElement), element('page-after', HTMLAnchorElement)];
  [before.hidden, after.hidden] = [from <= 1, last >= of];
  [before.search, after.search] = [`?page=${page - 1}`, `?page=${page + 1}`];
  const own = element('my-place', HTMLAnchorElement);
  [own.hidden, own.search] = [!mine, `?page=${mine || 1}`];
}

function drawMine() {
  const { kind, place, of, points, title, text, acts, game, was_in } = facts.mine;
  byId('mine').className = `card mine ${kind}`;
  byId('mine-place').hidden = !place;
  for (const [key, words] of Object.entries({ nth: place, of, points, title, text }))
    setText(byId(`mine-${key}`), words);
  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll('form[data-act]')))
    form.hidden = !acts.includes(form.dataset.act ?? '');
  setText(
    /** @type {HTMLElement} */ (document.querySelector('[data-act="join"] button')),
    t(was_in ? 'tournaments.play_on' : 'tournaments.join'),
  );
  const link = element('to-game', HTMLAnchorElement);
  [link.hidden, link.href] = [!game, `/${game}`];
}

function drawBoards() {
  const list = byId('boards');
  const links = facts.boards.map(({ game, words }) => createLink('', `/${game}`, words));
  const before = [...list.querySelectorAll('a')].map(link => link.href + link.textContent).join();
  if (before === links.map(link => link.href + link.textContent).join() || list.contains(document.activeElement))
    return;
  list.replaceChildren(...links.map(link => create('li', '', link)));
  byId('no-boards').hidden = links.length > 0;
}

function drawClock() {
  const left = facts.over ? 0 : Math.max(0, Math.ceil((until - performance.now()) / 1000));
  const [hours, minutes, seconds] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
  const rest = `${String(minutes).padStart(hours ? 2 : 1, '0')}:${String(seconds).padStart(2, '0')}`;
  setText(byId('clock'), left ? (hours ? `${hours}:${rest}` : rest) : facts.seconds ? '–' : facts.clock);
  if (!left && facts.seconds) {
    facts.seconds = 0;
    soon();
  }
}

function draw() {
  drawTable();
  drawMine();
  drawBoards();
  setText(byId('clock-words'), facts.clock_words);
  const allRounds = document.getElementById('all-rounds');
  if (allRounds) allRounds.hidden = !facts.begun;
  const begin = document.getElementById('begin-round');
  if (begin) {
    begin.hidden = !facts.next_round;
    element('round-number', HTMLInputElement).value = String(facts.next_round);
  }
  drawClock();
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let asking;
let asked = 0;

/** Something has changed: asks what, once however often this is called. */
function soon() {
  const wait = Math.max(0, asked + ASK_EVERY_MS - performance.now()) + (asked ? Math.random() * SPREAD_MS : 0);
  if (asking === undefined) asking = setTimeout(ask, wait);
}

async function ask() {
  asked = performance.now();
  try {
    facts = await requestJson(`/tournament/${id}/now${turned ? `?page=${turned}` : ''}`);
    until = performance.now() + facts.seconds * 1000;
    draw();
    if (facts.mine.game && facts.mine.game !== first.mine.game) goTo(facts.mine.game);
  } catch {
    // The line says it, and asks again when it is back.
  } finally {
    asking = undefined;
  }
}

/**
 * Who has come back from the board on purpose is left in peace: each game is gone to once.
 *
 * @param {string} game that has begun
 */
function goTo(game) {
  if (siteStorage.get('tournament_game') === game) return;
  siteStorage.set('tournament_game', game);
  setText(byId('mine-title'), t('tournaments.paired'));
  location.assign(`/${game}`);
}

const socket = new Socket({
  url: socketAddress('/ws/tournament'),
  greeting: () => ({ t: 'hi', proto: PROTOCOL, tournament: id }),
  onMessage: (/** @type {import('../net/wire.js').TournamentOutbound} */ message) => {
    allowReload();
    if (message.t === 'tournament_paired') goTo(message.game);
    else if (message.t === 'tournament_gone') location.reload();
    else soon();
  },
  onState: state => {
    setText(byId('line-state'), state === 'open' ? '' : t('tournaments.down'));
    if (state === 'open') soon();
  },
  reload: reloadOnce,
});
openWithPage(socket);

byId('pager').addEventListener('click', event => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  turned = link.id === 'my-place' ? null : Number(new URLSearchParams(link.search).get('page'));
  link.blur();
  void ask();
});
table.addEventListener('focusout', () => setTimeout(drawTable));
addEventListener('pointerup', () => setTimeout(drawTable));
setInterval(drawClock, 250);
setInterval(soon, ANYWAY_MS);
drawClock();
