/** Lengths in styles, which are served so that they grow with the text a reader asks for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inRem } from '../../static/rem.mjs';

test('lengths grow with the text, in media queries too', () => {
  assert.equal(inRem('.a { width: 44px; margin: -8px .5px }'), '.a { width: 2.75rem; margin: -0.5rem .5px }');
  assert.equal(inRem('@media (max-width: 599px) { }'), '@media (max-width: 37.4375rem) { }');
  assert.equal(inRem('calc(100% - 2 * 12.5px)'), 'calc(100% - 2 * 0.78125rem)');
});

test('hairlines, names, pictures and other units stay as they are', () => {
  for (const css of ['1px solid', 'round(down, 50%, 2px)', '--a16px', 'url("data:image/svg+xml,16px")', '16em'])
    assert.equal(inRem(css), css);
});
