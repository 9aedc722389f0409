/** The clipboard, with fallbacks for browsers that refuse it. Knows no page. */

/**
 * Must be called in the click itself: browsers let a page write to the clipboard only then, but the text may come later.
 * @param {Promise<string>} text
 * @returns {Promise<boolean>} whether it is there; it is not when the text never comes, which others are told of
 */
export async function copyWhenReady(text) {
  try {
    if (navigator.clipboard && 'ClipboardItem' in window) {
      const blob = text.then(link => new Blob([link], { type: 'text/plain' }));
      blob.catch(() => {}); // whoever waits for the text hears of it, also when the clipboard was refused first
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
      return true;
    }
    return copyBySelection(await text);
  } catch {
    return text.then(copyBySelection, () => false);
  }
}

/** The way that also works without TLS, in a club's own network. @param {string} text */
function copyBySelection(text) {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  // beside a modal dialog nothing can be selected, so it must stand inside
  (document.querySelector('dialog:modal') ?? document.body).append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  return done;
}
