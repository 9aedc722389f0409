/**
 * `npm run --silent engine`: the engine for any program that speaks UCI on standard input and output. It thinks in a
 * thread of its own, so that it hears "stop" while it does. The variants are those of the server, with the host's own if
 * VARIANTS_DIR names a folder.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Conversation } from './js/engine/conversation.js';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

/** All variants as data; ends the program with a sentence if Python cannot say them. */
function readVariants() {
  const own = join(ROOT, '.venv/bin/python');
  const python = process.env.PYTHON ?? (existsSync(own) ? own : 'python3');
  const folder = process.env.VARIANTS_DIR;
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

const stop = new Int32Array(new SharedArrayBuffer(4));
const thread = new Worker(new URL('./engine_thread.mjs', import.meta.url), { workerData: stop });
const conversation = new Conversation(readVariants(), give, line => process.stdout.write(`${line}\n`));
let listening = true;

/** @param {import('./js/engine/session.js').Task} task */
function give(task) {
  if (task.do === 'go') Atomics.store(stop, 0, 0);
  if (task.do === 'stop') Atomics.store(stop, 0, 1);
  thread.postMessage(task);
}

thread.on('message', answer => {
  conversation.hear(answer);
  if (!listening && !conversation.awaited) process.exit(0);
});
thread.on('error', error => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});

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
