/** Reads the lobby's form: what the visitor is looking for. Knows no network. */
import { element } from '../ui/dom.js';

/** Somebody who would play more variants than this can say that they would play any. */
const MOST_VARIANTS = 4;

/**
 * @param {{id: string, chess960: boolean}} chosen the variant whose board is shown, and whether in its 960 form
 * @returns {{variants: string[], chess960: boolean, rated: boolean} | null} null: several, but none ticked
 */
export function readSeekForm(chosen) {
  const fields = new FormData(form());
  const rated = fields.get('rated') === 'yes';
  switch (fields.get('which')) {
    case 'any':
      return { variants: [], chess960: false, rated };
    case 'several': {
      const variants = fields.getAll('wanted').map(String);
      return variants.length ? { variants, chess960: false, rated } : null;
    }
    default:
      return { variants: [chosen.id], chess960: chosen.chess960, rated };
  }
}

/** Shows the boxes of "several" while that is chosen, and allows at most four to be ticked. Fields of the form stand outside
 * it, too. @param {() => void} onChange */
export function listenToSeekForm(onChange) {
  const boxes = /** @type {HTMLInputElement[]} */ ([...form().elements]).filter(({ name }) => name === 'wanted');
  const show = () => {
    const fields = new FormData(form());
    element('several', HTMLElement).hidden = fields.get('which') !== 'several';
    const full = fields.getAll('wanted').length >= MOST_VARIANTS;
    for (const box of boxes) box.disabled = full && !box.checked;
  };
  document.addEventListener('change', ({ target }) => {
    if (/** @type {HTMLInputElement} */ (target).form !== form()) return;
    show();
    onChange();
  });
  form().addEventListener('submit', event => event.preventDefault());
  show();
}

const form = () => element('seek-form', HTMLFormElement);
