/** Comments and glyphs that somebody writes on a study. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  commentAt,
  isAnnotated,
  nagsAt,
  withComment,
  withNag,
} from '../../../static/js/analysis/annotations/annotations.js';
import { newStudy, toPgn } from '../../../static/js/analysis/study.js';
import { ROOT, addMove, nodeAt } from '../../../static/js/game/tree.js';
import { setCatalogue } from '../../../static/js/words.js';
import { english } from '../english.mjs';
import { chess } from '../variants.mjs';

setCatalogue(english);
globalThis.location = { origin: 'https://site.example' };

/** A study that shows the only move of its tree. */
function studyOf(notes = {}) {
  const study = newStudy(chess.startFen, false);
  return { ...study, ...addMove(study.tree, ROOT, { uci: 'e2e4', san: 'e4', fen: 'after', check: false, notes }) };
}
const pgn = study => toPgn(study, chess, ['Chess', 'Chess960']);

test('a comment is written on the shown move, and at the start on the game', () => {
  const commented = withComment(studyOf(), '  Best\nby test. ');
  assert.equal(commentAt(commented), 'Best by test.');
  assert.match(pgn(commented), /1\. e4 \{ Best by test\. \}/);
  const begun = withComment({ ...commented, at: ROOT }, 'A lesson.');
  assert.match(pgn(begun), /\{ A lesson\. \} 1\. e4 \{ Best/);
  assert.equal(withComment(begun, 'A  lesson.'), null, 'the same is no change');
  assert.equal(commentAt(withComment(begun, '')), '');
});

test('what a comment tells programs, and the clock, survive its edit', () => {
  const before = studyOf({
    clock: 59_000,
    comments: ['[%cal Ge2e4] Old', 'words [%csl Re4]'],
    nags: [22],
    before: ['Here'],
  });
  assert.equal(commentAt(before), 'Old words');
  const after = withComment(before, 'New');
  assert.deepEqual(nodeAt(after.tree, after.at).notes, {
    clock: 59_000,
    comments: ['[%cal Ge2e4] [%csl Re4] New'],
    nags: [22],
    before: ['Here'],
  });
  assert.deepEqual(nodeAt(withComment(after, '').tree, after.at).notes?.comments, ['[%cal Ge2e4] [%csl Re4]']);
  assert.equal(commentAt(before), 'Old words', 'the older study is as it was');
});

test('a move has one glyph for itself, one for the position, and those that are not offered', () => {
  let study = studyOf({ nags: [22, 2] });
  for (const [nag, all] of [
    [1, [1, 22]],
    [16, [1, 16, 22]],
    [4, [4, 16, 22]],
    [16, [4, 22]],
    [4, [22]],
  ]) {
    study = withNag(study, nag);
    assert.deepEqual(nagsAt(study), all);
  }
  assert.equal(withNag({ ...study, at: ROOT }, 1), null);
});

test('only what an address has no room for is an annotation', () => {
  assert.equal(isAnnotated(studyOf({ clock: 1000 })), false);
  assert.equal(isAnnotated(withNag(studyOf(), 1)), true);
  assert.equal(isAnnotated(withComment({ ...studyOf(), at: ROOT }, 'On the game')), true);
});
