/** Keys of the page outside the board and outside fields. */

/**
 * @param {object} actions
 * @param {(by: number) => void} actions.step   half-moves through the game
 * @param {() => void} actions.flip
 * @param {() => void} actions.clocks   say the clocks
 * @param {() => void} actions.lastMove   say the last move
 * @param {() => void} actions.play   let the game play by itself, or stop
 * @param {() => void} actions.type   to the field for moves
 */
export function pageKeys({ step, flip, clocks, lastMove, play, type }) {
  listenTo({
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    Home: () => step(-Infinity),
    End: () => step(Infinity),
    f: flip,
    c: clocks,
    l: lastMove,
    p: play,
    m: type,
  });
}

/** @param {Record<string, () => void>} keys what each key does */
export function listenTo(keys) {
  document.addEventListener('keydown', event => {
    const target = event.target instanceof Element ? event.target : document.body;
    const busy = target.closest('input, textarea, select, dialog, [contenteditable]');
    const act = keys[event.key];
    if (!act || busy || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    act();
  });
}
