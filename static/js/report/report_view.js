/**
 * A report as elements: the graph, how exactly each side played, how many mistakes of which kind it made, and a list of them that
 * leads to each. In brief, beside a game's own moves, where the signs are: the graph and the numbers.
 *
 * @import { WrittenMove } from '../explain/line_writer.js'
 * @import { Judged, Mark, Mistake } from './judgement.js'
 * @import { Phase } from './accuracy.js'
 * @typedef {{positions: Judged[], mistakes: Mistake[], phases: Phase[], moves: string[], sans: string[], whiteBegins: boolean, start: string}} Report
 * @typedef {object} BriefWays
 * @property {(ply: number) => void} go   half-moves made
 * @property {() => string} link   to the whole report
 * @typedef {object} MoreWays
 * @property {(mistake: Mistake) => WrittenMove[]} better
 * @property {(side: 'white' | 'black') => void} learn
 * @typedef {BriefWays & MoreWays} Ways
 */
import { halfMovesBefore, moveNumber } from '../board/position.js';
import { create, createButton, createLink } from '../ui/dom.js';
import { copyWhenReady } from '../ui/copy.js';
import { t } from '../words.js';
import { accuracyOf, PHASES } from './accuracy.js';
import { GLYPHS, losses, moverOf, tally } from './judgement.js';
import { chancesOf } from '../explain/scores.js';

const SIDES = /** @type {const} */ (['white', 'black']);
/** Whole keys, as games' pages have them. */
const SIDE_WORDS = { white: 'terms.white', black: 'terms.black' };
const KINDS = /** @type {Mark[]} */ (['good', 'inaccuracy', 'mistake', 'blunder']);

export class ReportView {
  #report;
  #ways;
  #graph;
  #element;

  /** @param {Report} report @param {Ways} ways */
  constructor(report, ways) {
    this.#report = report;
    this.#ways = ways;
    this.#graph = new Graph(report.positions, report.mistakes, ways.go);
    this.#element = create(
      'div',
      'report-made',
      this.#graph.element,
      this.#table(),
      this.#learnButtons(),
      this.#list(),
    );
    this.#element.append(this.#share());
  }

  get element() {
    return this.#element;
  }

  /** @param {number | null} ply as `Graph.show` */
  showPly(ply) {
    this.#graph.show(ply);
    for (const button of this.#element.querySelectorAll('li button'))
      if (Number(/** @type {HTMLElement} */ (button).dataset.ply) === ply) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
  }

  focus() {
    this.#element.querySelector('button')?.focus();
  }

  #table() {
    const { phases } = this.#report;
    const { counts, exact } = numbersOf(this.#report);
    /** @param {string} name @param {(side: 'white' | 'black') => string} value @param {string} [kind] */
    const row = (name, value, kind = '') =>
      create('tr', kind, headCell('row', name), ...SIDES.map(side => create('td', '', value(side))));
    const head = SIDES.map(side => headCell('col', t(SIDE_WORDS[side])));
    return create(
      'table',
      'report-counts',
      create('thead', '', create('tr', '', create('td', ''), ...head)),
      create(
        'tbody',
        '',
        row(t('game_report.accuracy'), side => percent(exact[side].whole), 'accuracy'),
        ...PHASES.filter(phase => phases.includes(phase)).map(phase =>
          row(t(`game_report.${phase}`), side => percent(exact[side][phase]), 'accuracy-of-phase'),
        ),
        ...KINDS.map(kind => row(t(`game_report.${kind}`), side => String(counts[side][kind]))),
      ),
    );
  }

  #learnButtons() {
    const { mistakes, whiteBegins } = this.#report;
    const sides = SIDES.filter(side => mistakes.some(({ ply }) => moverOf(ply, whiteBegins) === side));
    if (!sides.length) return create('p', 'quiet', t('game_report.none'));
    return create(
      'div',
      'report-learn',
      create('p', '', t('game_report.learn')),
      ...sides.map(side => createButton('button', () => this.#ways.learn(side), t(SIDE_WORDS[side]))),
    );
  }

  #list() {
    const { sans, start, mistakes } = this.#report;
    const before = halfMovesBefore(start);
    const items = mistakes.map(mistake => {
      const { ply, kind } = mistake;
      const move = `${moveNumber(ply - 1 + before, true)} ${sans[ply - 1]}`;
      const button = createButton(
        '',
        () => this.#ways.go(ply),
        create('b', kind, `${move}${GLYPHS[kind]}`),
        create('span', '', t('game_report.better', { moves: writtenLine(this.#ways.better(mistake)) })),
      );
      button.dataset.ply = String(ply);
      return create('li', '', button);
    });
    const list = create('ol', 'report-mistakes', ...items);
    list.setAttribute('aria-label', t('game_report.mistakes'));
    return list;
  }

  #share() {
    const said = create('span', 'quiet');
    said.setAttribute('role', 'status');
    const button = createButton(
      'text-button',
      async () => {
        said.textContent = t(
          (await copyWhenReady(Promise.resolve(this.#ways.link()))) ? 'game_report.copied' : 'game_report.not_copied',
        );
      },
      t('game_report.share'),
    );
    return create('p', 'report-share', button, ' ', said);
  }
}

/** Both sides' numbers side by side, each mistake's sign as the head of its column. */
export class BriefView {
  #graph;
  #element;

  /** @param {Report} report @param {BriefWays} ways */
  constructor(report, { go, link }) {
    this.#graph = new Graph(report.positions, report.mistakes, go);
    const whole = createLink('as-text', link(), t('game_report.whole'));
    this.#element = create('div', 'report-made', this.#graph.element, briefTable(report, whole));
  }

  get element() {
    return this.#element;
  }

  /** @param {number | null} ply as `Graph.show` */
  showPly(ply) {
    this.#graph.show(ply);
  }

  focus() {
    this.#element.querySelector('a')?.focus();
  }
}

/** @param {Report} report @param {HTMLElement} whole leads to all of it */
function briefTable(report, whole) {
  const { counts, exact } = numbersOf(report);
  const signs = KINDS.map(kind => {
    const sign = Object.assign(create('span', '', GLYPHS[kind]), { ariaHidden: 'true' });
    return headCell('col', sign, create('span', 'visually-hidden', t(`game_report.${kind}`)));
  });
  const rows = SIDES.map(side => {
    const [accuracy, ...numbers] = [percent(exact[side].whole), ...KINDS.map(kind => String(counts[side][kind]))];
    const cells = numbers.map(number => create('td', '', number));
    return create('tr', '', headCell('row', t(SIDE_WORDS[side])), create('td', 'accuracy', accuracy), ...cells);
  });
  const head = create('tr', '', create('td', '', whole), headCell('col', t('game_report.accuracy')), ...signs);
  return create('table', 'report-counts', create('thead', '', head), create('tbody', '', ...rows));
}

/** @param {'row' | 'col'} scope @param {(Node | string)[]} content */
const headCell = (scope, ...content) => Object.assign(create('th', '', ...content), { scope });

/** What both views count. @param {Report} report */
function numbersOf({ positions, phases, moves, whiteBegins }) {
  const chances = positions.map(({ score }) => chancesOf(score));
  return {
    counts: tally(positions, moves, whiteBegins),
    exact: accuracyOf(chances, losses(positions, moves, whiteBegins), phases, whiteBegins),
  };
}

/** @param {number | undefined} value */
const percent = value => (value === undefined ? '–' : t('game_report.percent', { n: Math.round(value) }));

/** @param {WrittenMove[]} moves @returns {string} "12. Bxd7+ Nxd7" */
const writtenLine = moves => moves.map(({ number, san }) => (number ? `${number} ${san}` : san)).join(' ');

// The graph of a game: White's chances by half-move, with the mistakes as dots and a line at what the board shows. A picture;
// the list beside it says the same in words.

const SVG = 'http://www.w3.org/2000/svg';

class Graph {
  #element = create('div', 'report-graph');
  #here = create('i', 'graph-here');
  #plies;

  /** @param {Judged[]} positions @param {Mistake[]} mistakes @param {(ply: number) => void} go half-moves made */
  constructor(positions, mistakes, go) {
    this.#plies = Math.max(1, positions.length - 1);
    const chances = positions.map(({ score }) => chancesOf(score));
    this.#element.setAttribute('role', 'img');
    this.#element.setAttribute('aria-label', t('game_report.graph'));
    this.#element.append(this.#area(chances), create('i', 'graph-middle'));
    for (const { ply, kind } of mistakes) {
      const dot = create('i', `graph-dot ${kind}`);
      dot.style.left = `${(100 * ply) / this.#plies}%`;
      dot.style.top = `${100 * (1 - chances[ply])}%`;
      this.#element.append(dot);
    }
    this.#element.append(this.#here);
    this.#element.addEventListener('click', ({ clientX }) => {
      const { left, width } = this.#element.getBoundingClientRect();
      go(Math.round(((clientX - left) / width) * this.#plies));
    });
  }

  get element() {
    return this.#element;
  }

  /** @param {number | null} ply what the board shows; null: something else */
  show(ply) {
    this.#here.hidden = ply === null;
    this.#here.style.left = `${(100 * (ply ?? 0)) / this.#plies}%`;
  }

  /** @param {number[]} chances */
  #area(chances) {
    const picture = document.createElementNS(SVG, 'svg');
    picture.setAttribute('viewBox', `0 0 ${this.#plies} 100`);
    picture.setAttribute('preserveAspectRatio', 'none');
    const path = document.createElementNS(SVG, 'path');
    const points = chances.map((share, ply) => `L${ply} ${(100 * (1 - share)).toFixed(1)}`);
    path.setAttribute('d', `M0 100 ${points.join(' ')} V100 Z`);
    picture.append(path);
    return picture;
  }
}
