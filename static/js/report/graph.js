/**
 * The graph of a game: White's chances by half-move, with the mistakes as dots and a line at what the board shows. A picture;
 * the list beside it says the same in words.
 *
 * @import { Judged, Mistake } from './judgement.js'
 */
import { chancesOf } from '../explain/scores.js';
import { create } from '../ui/dom.js';
import { t } from '../words.js';

const SVG = 'http://www.w3.org/2000/svg';

export class Graph {
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
