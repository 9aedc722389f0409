/** Of several tabs of a game one thinks for the computer: the one that is looked at, and if it goes, another. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inOneTab } from '../../../static/js/pages/on_request/computer_opponent.js';

const settled = () => new Promise(resolve => setImmediate(resolve));

/** The locks of a browser, as far as they are used. */
class Locks {
  #holder = null;
  #queue = [];

  request(_name, { steal = false, signal }, act) {
    return new Promise((_, reject) => {
      const asked = { act, reject, signal };
      signal?.addEventListener('abort', () => {
        this.#queue = this.#queue.filter(one => one !== asked);
        reject(new Error('aborted'));
      });
      if (steal) {
        this.#holder?.reject(new Error('stolen'));
        this.#give(asked);
      } else if (this.#holder) this.#queue.push(asked);
      else this.#give(asked);
    });
  }

  /** The tab of the holder is closed. */
  closes() {
    this.#holder = null;
    const next = this.#queue.shift();
    if (next) this.#give(next);
  }

  #give(asked) {
    this.#holder = asked;
    asked.act();
  }
}

/** A tab that is in front or not. */
class Tab extends EventTarget {
  hidden = false;
  thinks = null;

  constructor(locks) {
    super();
    inOneTab('game', here => (this.thinks = here), locks, this);
  }

  show(shown) {
    this.hidden = !shown;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

test('the tab that is looked at thinks, and no other', async () => {
  const locks = new Locks();
  const first = new Tab(locks);
  assert.equal(first.thinks, true);
  first.show(false);
  const second = new Tab(locks);
  await settled();
  assert.deepEqual([first.thinks, second.thinks], [false, true]);
  for (const [shown, other] of [
    [first, second],
    [second, first],
    [first, second],
  ]) {
    other.show(false);
    shown.show(true);
    await settled();
    assert.deepEqual([shown.thinks, other.thinks], [true, false]);
  }
});

test('when it is closed another goes on, and without locks each thinks', async () => {
  const locks = new Locks();
  const first = new Tab(locks);
  first.show(false);
  const second = new Tab(locks);
  await settled();
  locks.closes();
  await settled();
  assert.equal(first.thinks, true);
  assert.equal(second.thinks, true, 'it is gone');
  let thinks = false;
  inOneTab('game', here => (thinks = here), null, first);
  assert.equal(thinks, true);
});
