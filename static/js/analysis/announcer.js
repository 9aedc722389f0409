/**
 * What the analysis page says aloud to a screen reader, and the sound of its moves.
 *
 * @import { Variant } from '../board/variant.js'
 * @import { Node } from '../game/tree.js'
 */
import { speakSan } from '../game/san.js';
import { byId } from '../ui/dom.js';
import { Sounds } from '../ui/audio/sound.js';
import { speaker } from '../ui/audio/speech.js';
import { t } from '../words.js';

export class Announcer {
  #variant;
  #sounds = new Sounds();
  /** Says any words. */
  say = speaker(byId('live'));

  /** @param {Variant} variant */
  constructor(variant) {
    this.#variant = variant;
  }

  /** Says which move leads to a position. @param {Pick<Node, 'san'>} node */
  shown({ san }) {
    this.say(san ? speakSan(this.#variant, san) : t('board.start'));
  }

  /** A move has just been made. @param {Pick<Node, 'san' | 'check'>} node */
  moved(node) {
    this.#sounds.move(node.san, node.check);
    this.shown(node);
  }
}
