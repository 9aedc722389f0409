/** Dates and times are in the page's language, and in the order of the reader's region. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayInWords, localTimes } from '../../../static/js/ui/times.js';

const AT = Date.UTC(2026, 10, 9, 12);

/** @param {string} lang of the page @param {string[]} languages of the reader */
function reads(lang, languages) {
  const bold = { textContent: '' };
  const shown = { day: '' };
  const time = {
    dataset: { ms: String(AT) },
    querySelector: () => bold,
    lastChild: { replaceWith: (/** @type {string} */ day) => (shown.day = day) },
  };
  const page = { documentElement: { lang }, querySelectorAll: () => [time] };
  Object.defineProperty(globalThis, 'document', { value: page, configurable: true });
  Object.defineProperty(globalThis, 'navigator', { value: { languages }, configurable: true });
  localTimes();
  return shown.day;
}

test('a day stands in the order of the region', () => {
  assert.equal(reads('en', ['fr-FR', 'en-GB']), ' Mon 9 Nov');
  assert.equal(dayInWords(AT), '9 November');
  assert.equal(reads('en', ['en-US']), ' Mon, Nov 9');
  assert.equal(dayInWords(AT), 'November 9');
});

test('a reader of other languages has that of the page', () => assert.equal(reads('es', ['en-GB']), ' lun, 9 nov'));
