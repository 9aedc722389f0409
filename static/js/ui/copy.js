/** The clipboard, with fallbacks for browsers that refuse it. Knows no page. */

/**
 * Must be called in the click itself, when alone browsers let a page write to the clipboard; the text may come later.
 * @param {Promise<string>} text
 * @returns {Promise<boolean>} whether it was copied; false too if the text never comes, an error left to the caller
 */
export async function copyWhenReady(text) {
  try {
    if (navigator.clipboard && 'ClipboardItem' in window) {
      const blob = text.then(link => new Blob([link], { type: 'text/plain' }));
      blob.catch(() => {}); // the caller handles this error, even if the clipboard is refused first
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
      return true;
    }
    return copyBySelection(await text);
  } catch {
    return text.then(copyBySelection, () => false);
  }
}

/** Also works without TLS, as in a club's own network. @param {string} text */
function copyBySelection(text) {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  // Outside an open modal dialog nothing can be selected.
  (document.querySelector('dialog:modal') ?? document.body).append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  return done;
}
