/**
 * From the terms to a link: asks the server for a game and puts the link on the clipboard within the same click.
 * Knows the server's two answers (a game, or a code with a sentence) and the clipboard; knows no form.
 *
 * @typedef {{id: string, url: string, link: string}} Created
 */

/** What the server answered instead of making the game; the message is for the person. */
export class NotCreated extends Error {}

/**
 * @param {object} terms as POST /api/games wants them
 * @returns {Promise<Created>}
 * @throws {NotCreated}
 */
export async function createGame(terms) {
  const answer = await fetch('/api/games', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(terms),
  }).catch(() => {
    throw new NotCreated('The server cannot be reached. Check your connection and try again.');
  });
  const content = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new NotCreated(content.message ?? 'The server could not make the game. Try again in a moment.');
  return content;
}

/**
 * Must be called in the click itself: browsers let a page write to the clipboard only then, but the text may come later.
 * @param {Promise<string>} text
 * @returns {Promise<boolean>} whether it is there
 */
export async function copyWhenReady(text) {
  try {
    if (navigator.clipboard && 'ClipboardItem' in window) {
      const blob = text.then(link => new Blob([link], { type: 'text/plain' }));
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
      return true;
    }
    return copyBySelection(await text);
  } catch {
    return copyBySelection(await text);
  }
}

/** The way that also works without TLS, in a club's own network. @param {string} text */
function copyBySelection(text) {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  document.body.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  return done;
}

/**
 * For the invitation box of the game's page, which the link's secret reaches no other way.
 * @param {Created} game @param {boolean} copied
 */
export function rememberInvitation({ id, link }, copied) {
  sessionStorage.setItem(`invite:${id}`, JSON.stringify({ link, copied }));
}
