/**
 * The comment and the glyphs of the shown move, to be written and chosen. Knows only the study that it shows.
 *
 * @import { Study } from '../study.js'
 */
import { ROOT } from '../../game/tree.js';
import { byId, createButton, element } from '../../ui/dom.js';
import { t } from '../../words.js';
import { commentAt, nagsAt, withComment, withNag } from './annotations.js';
import { glyph } from '../pgn.js';

/** The NAGs that people use most; others that came with a game are shown and kept. */
const OFFERED = [1, 2, 3, 4, 5, 6, 10, 13, 14, 15, 16, 17, 18, 19];

export class AnnotationForm {
  #comment = element('comment', HTMLTextAreaElement);
  /** @type {[number, HTMLButtonElement][]} by NAG */
  #glyphs;
  #study;
  /** The comment that was last put into the field: what is being typed there is not overwritten. */
  #shown = '';
  #at = ROOT;

  /** @param {() => Study} study @param {(changed: Study | null) => void} change null: nothing was changed */
  constructor(study, change) {
    this.#study = study;
    const whole = element('annotate', HTMLDetailsElement);
    whole.addEventListener('toggle', () => whole.open && this.#comment.focus());
    this.#comment.addEventListener('change', () => change(withComment(study(), this.#comment.value)));
    this.#glyphs = OFFERED.map(nag => [nag, createButton('button', () => change(withNag(study(), nag)), glyph(nag))]);
    for (const [nag, button] of this.#glyphs) button.title = button.ariaLabel = t(`annotations.nag_${nag}`);
    byId('glyphs').replaceChildren(...this.#glyphs.map(([, button]) => button));
  }

  /** Opens it and goes to the comment. @param {import('../../ui/tabs.js').Tabs} tabs */
  open(tabs) {
    element('annotate', HTMLDetailsElement).open = true;
    tabs.goTo('tab-moves', 'comment');
  }

  render() {
    const study = this.#study();
    const text = commentAt(study);
    if (text !== this.#shown || study.at !== this.#at) this.#comment.value = text;
    [this.#shown, this.#at] = [text, study.at];
    for (const [nag, button] of this.#glyphs) {
      button.disabled = study.at === ROOT;
      button.setAttribute('aria-pressed', String(nagsAt(study).includes(nag)));
    }
  }
}
