/** Where the loupe stands beside the finger. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loupePlace } from '../../../static/js/board/small_squares.js';

test('the loupe is whole in the window and never below the finger', () => {
  for (const room of [
    { width: 320, height: 480 },
    { width: 360, height: 740 },
    { width: 740, height: 360 },
  ])
    for (let x = 0; x <= room.width; x += 4)
      for (let y = 0; y <= room.height; y += 4) {
        const { x: left, y: top } = loupePlace({ x, y }, room);
        const where = `${x} ${y} in ${room.width}x${room.height}`;
        assert.ok(left >= 0 && left + 168 <= room.width && top >= 0, where);
        assert.ok(x < left || x > left + 168 || y < top || y > top + 168, where);
      }
});
