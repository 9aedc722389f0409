/**
 * Who waits, in one line for screens on which the list lies below the fold: how many, and the one whose game can be taken
 * with one press. Knows no network; the caller says what the press does.
 *
 * @import { SeekView as Seek } from '../net/wire.js'
 */
import { buttonById, byId, setText } from '../ui/dom.js';
import { t } from '../words.js';
import { clockWords, variantWords } from './seek_words.js';

export class FirstSeek {
  #variantName;
  /** @type {Seek | undefined} the one that is offered */
  #offered;

  /** @param {(id: string) => string} variantName @param {(seek: Seek) => void} take */
  constructor(variantName, take) {
    this.#variantName = variantName;
    buttonById('first-seek-play').addEventListener('click', () => this.#offered && take(this.#offered));
  }

  /** @param {Seek[]} seeks of others @param {{id: string, isMember: boolean, waits: boolean}} reader the variant that they have
   * chosen, whether they may play rated games, and whether they wait themselves */
  show(seeks, { id, isMember, waits }) {
    const open = seeks.filter(({ rated }) => isMember || !rated);
    this.#offered = open.find(({ variants }) => variants?.includes(id)) ?? open[0];
    const seek = this.#offered;
    const nobody = t(waits ? 'lobby.none_else_waits' : 'lobby.none_wait');
    setText(byId('first-seek-count'), seeks.length ? t('lobby.n_wait', { n: seeks.length }) : nobody);
    const what = seek ? [variantWords(seek, this.#variantName), clockWords(seek.clock), seek.name] : [];
    setText(byId('first-seek-words'), what.join(' · '));
    const play = buttonById('first-seek-play');
    play.hidden = !seek;
    play.setAttribute(
      'aria-label',
      seek ? t('lobby.play_seek', { game: what.slice(0, 2).join(', '), name: seek.name }) : '',
    );
  }
}
