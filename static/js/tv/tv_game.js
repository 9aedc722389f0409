/**
 * One game on the TV page: position, last move, both players with their clocks. Knows no socket.
 *
 * @import { Board, Clocks } from '../net/wire.js'
 * @typedef {import('../../pieces/board_style.mjs').StyledVariant & {name: string}} TvVariant
 */
import { styleBoard } from '../../pieces/board_style.mjs';
import { lastMoveSquares, parseFen } from '../board/position.js';
import { smallBoard, smallPocket } from '../board/small_board.js';
import { formatClock, isLong } from '../game/clock.js';
import { turnOf } from '../game/model.js';
import { clockTerms } from '../game/terms.js';
import { checkCount } from '../ui/board/check_count.js';
import { create, createLink, setText } from '../ui/dom.js';
import { personLink } from '../ui/person_link.js';
import { personName, shuffledName, t } from '../words.js';

const SIDES = /** @type {const} */ (['white', 'black']);

export class TvGame {
  element = create('li', 'tv-game');
  /** Who plays what against whom. */
  title;
  #variant;
  #shown;
  /** What is looked at instead of the latest position. @type {{fen: string, last?: string} | null} */
  #looked = null;
  #clockAt = performance.now();
  #board = create('div', 'tv-board');
  /** @type {Record<'white' | 'black', HTMLElement>} */
  #pockets = { white: pocket(), black: pocket() };
  /** @type {Record<'white' | 'black', HTMLElement>} */
  #checks = { white: create('span', 'tv-checks'), black: create('span', 'tv-checks') };
  #about = create('p', 'tv-about');
  #watchers = create('span', '');
  /** @type {Record<'white' | 'black', HTMLElement>} */
  #clocks = { white: create('span', 'tv-clock'), black: create('span', 'tv-clock') };

  /** @param {Board} shown @param {TvVariant} variant */
  constructor(shown, variant) {
    this.#variant = variant;
    this.#shown = shown;
    styleBoard(this.element, variant);
    this.element.append(this.#seat('black'), this.#board, this.#seat('white'), this.#about);
    const link = createLink('', `/${shown.game}`, shown.chess960 ? shuffledName(variant.name) : variant.name);
    const [white, black] = [personName(shown.white), personName(shown.black)];
    this.title = t('watch.open', { variant: variant.name, white, black });
    link.setAttribute('aria-label', this.title);
    const terms = [clockTerms(shown.terms), t(shown.rated ? 'terms.rated' : 'terms.casual')]
      .filter(Boolean)
      .join(' · ');
    this.#about.append(link, ` · ${terms} `, this.#watchers);
    this.moved(shown);
  }

  /** @param {'white' | 'black'} side */
  #seat(side) {
    const rating = this.#shown.ratings?.[SIDES.indexOf(side)];
    const { accounts, bots } = this.#shown;
    const name = personLink(this.#shown[side], accounts?.includes(side), bots?.includes(side));
    const who = create('span', 'tv-name', name, ...(rating ? [' ', create('small', '', rating)] : []));
    const held = this.#variant.pocketRoles.length ? [this.#pockets[side]] : [];
    const checks = this.#variant.checks ? [this.#checks[side]] : [];
    return create('div', `tv-seat of-${side}`, create('div', 'tv-who', who, ...held), ...checks, this.#clocks[side]);
  }

  /** @param {Pick<Board, 'fen' | 'last' | 'san' | 'clock' | 'watchers'>} now */
  moved(now) {
    this.#shown = { ...this.#shown, ...now };
    this.#clockAt = performance.now();
    if (!this.#looked) this.#draw(now);
    this.#watchers.textContent = now.watchers ? ` · ${t('watch.watchers', { n: now.watchers })}` : '';
    this.tick();
  }

  /** The position of the game, whatever is looked at; `last` and `san`: the move that led there. */
  get latest() {
    return this.#shown;
  }

  /** @param {{fen: string, last?: string} | null} position to show on the board instead of the latest; null: no other */
  lookAt(position) {
    if (position?.fen === this.#looked?.fen) return;
    this.#looked = position;
    this.#draw(position ?? this.#shown);
  }

  /** @param {Pick<Board, 'fen' | 'last'>} position */
  #draw({ fen, last }) {
    this.#board.replaceChildren(smallBoard(fen, this.#variant, lastMoveSquares(last)));
    for (const side of SIDES) {
      this.#pockets[side].replaceChildren(...smallPocket(fen, this.#variant.pocketRoles, side));
      this.#checks[side].replaceChildren(...checkCount(this.#variant, parseFen(fen), side));
    }
  }

  /** The last move for those who do not see it: "Anna: g1–f3", "Ben: N@f6"; '' before the first. */
  get lastMove() {
    const { fen, last } = this.#shown;
    if (!last) return '';
    const who = personName(this.#shown[turnOf(fen) === 'white' ? 'black' : 'white']);
    const [from, to] = lastMoveSquares(last);
    return `${who}: ${to ? last.replace(from + to, `${from}–${to}`) : last}`;
  }

  /** @param {string | undefined} result as in PGN; undefined: adjourned @param {Clocks} clock the final clocks */
  over(result, clock) {
    this.#shown.clock = { ...clock, run: undefined };
    this.tick();
    this.#about.append(' · ', create('span', 'tv-result', overWords(result)));
  }

  tick() {
    const { clock } = this.#shown;
    for (const side of SIDES) {
      const left = clock[side] ?? null;
      const gone = clock.run === side ? performance.now() - this.#clockAt : 0;
      const text = left === null ? '' : formatClock(Math.max(0, left - gone));
      setText(this.#clocks[side], text);
      this.#clocks[side].classList.toggle('long', isLong(text));
      this.#clocks[side].classList.toggle('runs', clock.run === side);
    }
  }
}

/** @param {string | undefined} result as in PGN; undefined: adjourned */
export const overWords = result =>
  result ? t('watch.over', { result: result.replace('1/2-1/2', '½-½') }) : t('lobby.adjourned');

function pocket() {
  const made = create('div', 'pocket tv-pocket');
  made.setAttribute('aria-hidden', 'true');
  return made;
}
