/** Which sizes of the board the corner stops at. */
import assert from 'node:assert/strict';
import test from 'node:test';

globalThis.document = /** @type {any} */ ({ documentElement: { dataset: {} } });
const { nearestSize } = await import('../../../static/js/ui/board/size_handle.js');

test('every place of the mouse is a size that the server knows', () => {
  for (let percent = -50; percent < 250; percent += 0.7) {
    const size = Number(nearestSize(percent));
    assert.ok(size >= 50 && size <= 100 && size % 5 === 0, `${percent}`);
    if (percent >= 50 && percent <= 100) assert.ok(Math.abs(size - percent) <= 2.5);
  }
});
