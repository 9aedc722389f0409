/** A menu that is folded into a <details>: it closes once a button in it or anything else is pressed, and by Escape. */

/** @param {HTMLDetailsElement} menu */
export function closeOnLeaving(menu) {
  document.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Node && !menu.contains(target)) menu.open = false;
  });
  menu.addEventListener('click', ({ target }) => {
    const button = target instanceof Element && target.closest('button');
    // One that asks first has to be pressed once more.
    if (button && !button.classList.contains('confirm')) menu.open = false;
  });
  menu.addEventListener('keydown', event => {
    if (event.key !== 'Escape' || !menu.open) return;
    event.stopPropagation();
    menu.open = false;
    menu.querySelector('summary')?.focus();
  });
}
