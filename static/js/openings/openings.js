/**
 * Asks what was played here from the position that is shown, one position at a time, and keeps the answers: stepping through
 * a game asks for each position once.
 *
 * @typedef {{fen: string, moves: string[], chess960: boolean}} Position   moves: UCI, that lead from `fen` to it
 * @typedef {{uci: string, san: string, white: number, draws: number, black: number, rating: number | null, last: string | null,
 *   ended: number, best: string | null, best_rating: number | null}} ExploredMove
 * @typedef {{white: number, draws: number, black: number, moves: ExploredMove[]}} Explored
 */
import { RequestFailed, requestJson } from '../net/requests.js';
import { create, createButton, createLink } from '../ui/dom.js';
import { t } from '../words.js';

/** @type {('white' | 'draws' | 'black')[]} */
const RESULTS = ['white', 'draws', 'black'];
/** Of a bar that is wide enough for a number. */
const READABLE = 18;

/** Shows each move with how often it was played, the results and the average rating, and two games to look at. Pressing a move
 * plays it. */
class OpeningsView {
  #place;
  #play;

  /** @param {HTMLElement} place @param {(uci: string) => void} play */
  constructor(place, play) {
    this.#place = place;
    this.#play = play;
  }

  /** @param {Explored} found */
  show(found) {
    const focused = this.#place.contains(document.activeElement);
    if (!found.moves.length) this.say(t('analysis.openings_none'));
    else this.#place.replaceChildren(this.#table(found), this.#games(found.moves));
    // Somebody using the keyboard goes on from the next position.
    if (focused) this.#place.querySelector('button')?.focus({ preventScroll: true });
  }

  /** @param {string} words instead of moves */
  say(words) {
    this.#place.replaceChildren(create('p', 'quiet', words));
  }

  /** @param {Explored} found */
  #table(found) {
    const heads = ['move', 'games', 'results', 'rating'].map(name => create('th', '', t(`analysis.openings_${name}`)));
    for (const head of heads) head.setAttribute('scope', 'col');
    const rows = found.moves.map(move => this.#row(move));
    const table = create('table', 'openings-moves');
    table.append(
      create('caption', 'visually-hidden', t('analysis.openings_title')),
      create('thead', '', create('tr', '', ...heads)),
      create('tbody', '', ...rows),
    );
    return table;
  }

  /** @param {ExploredMove} move */
  #row(move) {
    const name = create(
      'th',
      '',
      createButton('openings-move', () => this.#play(move.uci), move.san),
    );
    name.setAttribute('scope', 'row');
    const games = move.white + move.draws + move.black;
    return create(
      'tr',
      '',
      name,
      create('td', 'openings-number', String(games)),
      create('td', 'openings-results', bar(move, games)),
      create('td', 'openings-number', move.rating === null ? '–' : String(move.rating)),
    );
  }

  /** The latest game from here, and the one of the strongest players. @param {ExploredMove[]} moves */
  #games(moves) {
    const latest = moves.filter(({ last }) => last).toSorted((a, b) => b.ended - a.ended)[0];
    const best = moves.filter(move => move.best).toSorted((a, b) => Number(b.best_rating) - Number(a.best_rating))[0];
    const links = [];
    if (latest) links.push(createLink('', `/${latest.last}`, t('analysis.openings_latest')));
    if (best)
      links.push(createLink('', `/${best.best}`, t('analysis.openings_best', { rating: String(best.best_rating) })));
    return create('p', 'openings-games', ...links);
  }
}

/** The shares of White, draws and Black. @param {ExploredMove} move @param {number} games */
function bar(move, games) {
  const shares = RESULTS.map(side => Math.round((100 * move[side]) / games));
  const [white, draws, black] = shares.map(String);
  const drawn = create('span', 'openings-bar');
  drawn.setAttribute('role', 'img');
  drawn.setAttribute('aria-label', t('analysis.openings_shares', { white, draws, black }));
  for (const [at, side] of RESULTS.entries()) {
    if (!move[side]) continue;
    const part = create('span', `openings-${side}`, shares[at] < READABLE ? '' : `${shares[at]} %`);
    part.style.flexGrow = String(move[side]);
    drawn.append(part);
  }
  return drawn;
}

/** Positions that are kept; later ones push out the oldest. */
const KEPT = 300;

export class Openings {
  #variant;
  #place;
  #view;
  /** @type {Map<string, Explored>} */
  #known = new Map();
  #wantedPath = '';
  #asking = false;
  #shown = '';

  /** @param {string} variant its id @param {HTMLElement} place @param {(uci: string) => void} play */
  constructor(variant, place, play) {
    this.#variant = variant;
    this.#place = place;
    this.#view = new OpeningsView(place, play);
  }

  /** Shows that position, as soon as it is known what was played there. @param {Position} position */
  show(position) {
    const path = this.#path(position);
    this.#wantedPath = path;
    const known = this.#known.get(path);
    if (known) this.#draw(path, known);
    else if (!this.#asking) void this.#ask();
  }

  async #ask() {
    this.#asking = true;
    this.#place.ariaBusy = 'true';
    try {
      /** @type {Explored | undefined} */
      let found;
      let path = '';
      // Another position may be shown by the time the answer is there.
      while (path !== this.#wantedPath) {
        path = this.#wantedPath;
        found = this.#known.get(path) ?? (await requestJson(path));
        if (found) this.#keep(path, found);
      }
      if (found) this.#draw(path, found);
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
      this.#shown = '';
      this.#view.say(error.message);
    } finally {
      this.#asking = false;
      this.#place.ariaBusy = 'false';
    }
  }

  /** @param {string} path @param {Explored} found */
  #draw(path, found) {
    if (path === this.#shown) return;
    this.#shown = path;
    this.#view.show(found);
  }

  /** @param {string} path @param {Explored} found */
  #keep(path, found) {
    this.#known.set(path, found);
    const [oldest] = this.#known.keys();
    if (this.#known.size > KEPT) this.#known.delete(oldest);
  }

  /** @param {Position} position */
  #path({ fen, moves, chess960 }) {
    const asked = { fen, ...(moves.length && { moves: moves.join(',') }), ...(chess960 && { chess960: '1' }) };
    return `/api/explorer/${this.#variant}?${new URLSearchParams(asked)}`;
  }
}
