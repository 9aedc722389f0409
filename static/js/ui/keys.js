/** Keys of the page, pressed outside the board and outside fields. */

/** @param {Record<string, () => void>} actions what each key does */
export function onKeys(actions) {
  document.addEventListener('keydown', event => {
    const target = event.target instanceof Element ? event.target : document.body;
    const busy = target.closest('input:not([type="checkbox"]), textarea, select, dialog, [contenteditable]');
    const act = actions[event.key];
    if (!act || busy || event.ctrlKey || event.altKey || event.metaKey) return;
    // Only a sign such as ? may need Shift.
    if (event.shiftKey && /^\w/.test(event.key)) return;
    event.preventDefault();
    act();
  });
}
