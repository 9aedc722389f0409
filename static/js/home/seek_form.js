/** Reads what the visitor seeks: a time of the grid, or a seek of their own, unfolded below it. Knows no network. */
import { clockFrom } from '../game/terms.js';
import { siteStorage } from '../storage.js';
import { buttonById, byId, element, formById } from '../ui/dom.js';

/** More variants than this must be sought as any variant. */
const MOST_VARIANTS = 4;
const MINUTE_S = 60;

/** Whether games were to be rated, kept in this browser. */
const RATED = 'seek-rated';

/** @typedef {ReturnType<typeof quickSeek> & {lowest?: number, highest?: number}} OwnSeek */
/** @typedef {{id: string, chess960: boolean}} Chosen   the variant whose board is shown, and whether in its 960 form */

/** What a time of the grid seeks: always the variant on the board, with either colour. @param {Chosen} chosen */
export const quickSeek = ({ id, chess960 }) => ({ variants: [id], chess960, rated: isRated(), color: 'random' });

/** The seek of their own, but for its clock. @param {Chosen} chosen @returns {OwnSeek | null} null: several, but none ticked */
export function ownSeek(chosen) {
  const fields = new FormData(form());
  const wanted = { ...quickSeek(chosen), ...ratingRange(), color: String(fields.get('wanted-color')) };
  switch (fields.get('which')) {
    case 'any':
      return { ...wanted, variants: [], chess960: false };
    case 'several': {
      const variants = fields.getAll('wanted').map(String);
      return variants.length ? { ...wanted, variants, chess960: false } : null;
    }
    default:
      return wanted;
  }
}

/** What an opponent's rating must be, which members may say. @returns {{lowest?: number, highest?: number}} */
function ratingRange() {
  const [lowest, highest] = rangeFields().map(({ value }) => Number(value));
  return { ...(lowest && { lowest }), ...(highest && { highest }) };
}

const rangeFields = () =>
  ['seek-lowest', 'seek-highest']
    .map(id => document.getElementById(id))
    .filter(field => field instanceof HTMLInputElement);

/** The clock of the seek of their own; null: the browser has said what is wrong with it, or with the range of ratings. */
export function ownClock() {
  if (!rangeFields().every(field => field.reportValidity())) return null;
  if (isByDays()) return clockFrom(element('seek-days', HTMLSelectElement).value);
  const [minutes, seconds] = ['seek-minutes', 'seek-seconds'].map(id => element(id, HTMLInputElement));
  if (![minutes, seconds].every(field => field.reportValidity())) return null;
  return clockFrom(`${Math.round(Number(minutes.value) * MINUTE_S)}+${seconds.value}`);
}

/** Chooses rated or casual, for a member: guests have no choice. @param {boolean} rated */
export function chooseRated(rated) {
  const found = /** @type {HTMLInputElement[]} */ ([...form().elements]).find(
    ({ name, value }) => name === 'rated' && value === (rated ? 'yes' : 'no'),
  );
  if (found) found.checked = true;
}

/** Begins as it was left, lets the seek of their own be unfolded, shows the fields that go with what is chosen, and allows at most four variants to
 * be ticked. Fields of the form stand outside it, too. @param {() => void} onChange */
export function listenToSeekForm(onChange) {
  const boxes = /** @type {HTMLInputElement[]} */ ([...form().elements]).filter(({ name }) => name === 'wanted');
  const show = () => {
    const fields = new FormData(form());
    byId('seek-by-days').hidden = !isByDays();
    byId('seek-by-minutes').hidden = isByDays();
    byId('several').hidden = fields.get('which') !== 'several';
    const full = fields.getAll('wanted').length >= MOST_VARIANTS;
    for (const box of boxes) box.disabled = full && !box.checked;
  };
  document.addEventListener('change', ({ target }) => {
    if (/** @type {HTMLInputElement} */ (target).form !== form()) return;
    if (/** @type {HTMLInputElement} */ (target).name === 'rated') siteStorage.set(RATED, isRated() ? '1' : null);
    show();
    onChange();
  });
  chooseRated(siteStorage.get(RATED) !== null);
  form().addEventListener('submit', event => event.preventDefault());
  buttonById('other-time').addEventListener('click', unfold);
  show();
}

/** Opens what is sought of their own, or closes it. */
function unfold() {
  const panel = byId('own-seek');
  panel.hidden = !panel.hidden;
  buttonById('other-time').setAttribute('aria-expanded', String(!panel.hidden));
  if (panel.hidden) return;
  panel.querySelector('input')?.focus({ preventScroll: true });
  panel.scrollIntoView({ block: 'nearest' });
}

const form = () => formById('seek-form');
const isByDays = () => new FormData(form()).get('pace') === 'days';
const isRated = () => new FormData(form()).get('rated') === 'yes';
