/**
 * The forms beside the analysis board: the position as FEN or on a board of its own, and a game from this position with a
 * friend or against the computer.
 */
import { clockFrom } from '../game/terms.js';
import { startGame } from '../home/invitation.js';
import { attempt } from '../ui/attempt.js';
import { buttonById, byId, element, formById, onSubmit, setText } from '../ui/dom.js';
import { copyButton } from '../ui/share.js';
import { t } from '../words.js';

/**
 * @param {object} actions
 * @param {import('../board/variant.js').Variant} actions.variant
 * @param {(fen: string, shuffled: boolean) => Promise<string>} actions.set   '' or why it was refused
 * @param {() => {variant: string, fen: string, chess960: boolean}} actions.position where such a game begins
 */
export function listenToForms({ variant, set, position }) {
  onSubmit(formById('position'), () => void set(element('fen', HTMLInputElement).value.trim(), isShuffled()));
  const editor = loadedOnce(variant, fen => set(fen, isShuffled()));
  buttonById('edit').addEventListener('click', () => void openEditor(editor, position().fen));
  for (const button of document.querySelectorAll('#position [data-copies]'))
    copyButton(/** @type {HTMLButtonElement} */ (button));
  onSubmit(formById('friend'), () => void playFriend(position()));
  onSubmit(formById('computer'), () => location.assign(computerAddress(position())));
}

/**
 * Gets the dialog in which a position is set up, when it is first asked for.
 * @param {import('../board/variant.js').Variant} variant @param {(fen: string) => Promise<string>} put
 * @returns {() => Promise<import('../editor/board_editor.js').BoardEditor>}
 */
function loadedOnce(variant, put) {
  /** @type {import('../editor/board_editor.js').BoardEditor | undefined} */
  let editor;
  return async () => {
    editor ??= new (await import(byId('edit').dataset.script ?? '')).BoardEditor(variant, put);
    return /** @type {import('../editor/board_editor.js').BoardEditor} */ (editor);
  };
}

/** @param {ReturnType<typeof loadedOnce>} editor @param {string} fen to begin with */
async function openEditor(editor, fen) {
  try {
    (await editor()).open(fen);
  } catch {
    setText(byId('status'), t('lobby.unreachable'));
  }
}

/** @param {{fen: string, chess960: boolean}} shown */
export function showPosition({ fen, chess960 }) {
  const field = element('fen', HTMLInputElement);
  if (field.value !== fen) field.value = fen;
  const box = shuffledBox();
  if (box) box.checked = chess960;
}

/** Only variants with a shuffled form have the box. */
const shuffledBox = () => /** @type {HTMLInputElement | null} */ (document.getElementById('shuffled'));

const isShuffled = () => shuffledBox()?.checked ?? false;

/** @param {{variant: string, fen: string, chess960: boolean}} position */
function playFriend(position) {
  const color = element('friend-color', HTMLSelectElement).value;
  const clock = clockFrom(element('friend-clock', HTMLSelectElement).value);
  return attempt(byId('friend-problem'), () => startGame({ ...position, color, clock }, true));
}

/** The page on which a game against the computer is chosen. @param {{variant: string, fen: string, chess960: boolean}} position */
const computerAddress = ({ variant, fen, chess960 }) =>
  `/computer?${new URLSearchParams({ variant: chess960 ? `${variant}960` : variant, fen })}`;
