/** What the service worker keeps for playing offline: whole or not at all, the newest first, and no more than two versions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesOf, KeptPages } from '../../../static/js/worker/kept_pages.js';

class FakeCache extends Map {
  async put(path, answer) {
    this.set(path, answer);
  }

  async match(path) {
    return this.get(path)?.clone();
  }
}

/** A browser, and a server with that version; `lost`: from that request on there is no connection. */
function browser() {
  const stored = new Map();
  const at = { stored, version: 'one', asked: [], lost: Infinity, now: 1 };
  const caches = {
    open: async name => stored.get(name) ?? stored.set(name, new FakeCache()).get(name),
    keys: async () => [...stored.keys()],
    delete: async name => stored.delete(name),
  };
  const page = () => `<script src="/static/round-${at.version}.js"></script>{"engine":"/static/worker-1.js"}`;
  const fetch = async path => {
    at.asked.push(path);
    if (at.asked.length > at.lost) throw new TypeError('offline');
    if (path !== '/computer/offline.json') return new Response(path.startsWith('/static') ? 'file' : page());
    return Response.json({ version: at.version, pages: ['/computer/offline'], rules: ['/api/variants/chess'] });
  };
  at.kept = new KeptPages({ caches, fetch }, () => at.now);
  at.renew = async version => {
    at.version = version;
    at.now += 3_600_000;
    at.asked.length = 0;
    await at.kept.renew();
  };
  at.names = () => [...stored.keys()].sort();
  return at;
}

test('the files of a page are those that its elements and its facts name', () => {
  assert.deepEqual(
    filesOf('<link href="/static/a-1.css"><script src="/static/b.js">{"c":"/static/c-X.js"} "/static/a-1.css"'),
    ['/static/a-1.css', '/static/b.js', '/static/c-X.js'],
  );
});

test('pages, rules and files are kept, and fetched once for each version', async () => {
  const at = browser();
  await at.renew('one');
  assert.deepEqual(
    [...at.stored.get('computer-one').keys()],
    [
      '/computer/offline',
      '/api/variants/chess',
      '/static/round-one.js',
      '/static/worker-1.js',
      '/computer/offline.json',
    ],
  );
  assert.ok(await at.kept.find('/computer/offline'));
  assert.equal(await at.kept.find('/games'), undefined);
  await at.renew('one');
  assert.deepEqual(at.asked, ['/computer/offline.json']);
  await at.kept.renew();
  assert.equal(at.asked.length, 1);
});

test('a new version takes the place of the old one whole, and the one before stays for open pages', async () => {
  const at = browser();
  await at.renew('one');
  await at.renew('two');
  assert.deepEqual(at.names(), ['computer-one', 'computer-two']);
  assert.match(await (await at.kept.find('/computer/offline')).text(), /round-two/);
  await at.renew('three');
  assert.deepEqual(at.names(), ['computer-three', 'computer-two']);
});

test('a line that is lost in between leaves the old version in place, and the rest comes the next time', async () => {
  const at = browser();
  await at.renew('one');
  at.lost = 3;
  await at.renew('two');
  assert.match(await (await at.kept.find('/computer/offline')).text(), /round-one/);
  at.lost = Infinity;
  await at.renew('two');
  assert.match(await (await at.kept.find('/computer/offline')).text(), /round-two/);
});
