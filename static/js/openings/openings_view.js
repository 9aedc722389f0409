/**
 * What was played here from the position on the board: each move with how often, the results and the average rating, and two
 * games to look at. Pressing a move plays it. Knows no request.
 *
 * @typedef {{uci: string, san: string, white: number, draws: number, black: number, rating: number | null, last: string | null,
 *   ended: number, best: string | null, best_rating: number | null}} ExploredMove
 * @typedef {{white: number, draws: number, black: number, moves: ExploredMove[]}} Explored
 */
import { create, createButton, createLink } from '../ui/dom.js';
import { t } from '../words.js';

/** @type {('white' | 'draws' | 'black')[]} */
const RESULTS = ['white', 'draws', 'black'];
/** Of a bar that is wide enough for a number. */
const READABLE = 18;

export class OpeningsView {
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
