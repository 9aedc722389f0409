/**
 * `npm run --silent engine`: the engine for any program that speaks UCI on standard input and output. The variants are those
 * of the server, with the host's own if FAIRYHOUSE_VARIANTS_DIR names a folder.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { setImmediate } from 'node:timers/promises';
import { UciProtocol } from './js/engine/uci_protocol.js';
import { Session } from './js/engine/session.js';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

/** All variants as data; ends the program with a sentence if Python cannot say them. */
function readVariants() {
  const own = join(ROOT, '.venv/bin/python');
  const python = process.env.PYTHON ?? (existsSync(own) ? own : 'python3');
  const folder = process.env.FAIRYHOUSE_VARIANTS_DIR ?? process.env.VARIANTS_DIR;
  const told = ['-m', 'server.rules', 'variants', '--json', ...(folder ? ['--variants', folder] : [])];
  const { status, stdout, stderr, error } = spawnSync(python, told, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (status === 0) return JSON.parse(stdout);
  process.stderr.write(`The variants cannot be read by ${python}: ${error?.message ?? stderr}\n`);
  process.exit(2);
}

const session = new Session(hear, () => performance.now(), setImmediate);
const conversation = new UciProtocol(
  readVariants(),
  task => session.take(task),
  line => process.stdout.write(`${line}\n`),
);
let listening = true;

/** @param {import('./js/engine/session.js').Answer} answer */
function hear(answer) {
  conversation.hear(answer);
  if (!listening && !conversation.awaited) process.exit(0);
}

const lines = createInterface({ input: process.stdin });
lines.on('line', line => {
  if (!conversation.take(line)) process.exit(0);
});
// What was asked is still answered, so that it can be asked by a pipe.
lines.on('close', () => {
  listening = false;
  conversation.hangUp();
  if (!conversation.awaited) process.exit(0);
});
