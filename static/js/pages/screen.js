/**
 * The screen of a hall: goes to the next slide again and again, for days. While the server is away it keeps what it shows, and says so.
 */
import { byId } from '../ui/dom.js';

const NEXT_MS = 10_000;
/** After so many failures the reader is told that nothing is new. */
const STALE_AFTER = 3;

let failures = 0;
let until = 0;

/** The clock counts on between two slides. */
function countDown() {
  const clock = byId('clock');
  const seconds = Number(clock.dataset.seconds);
  if (!until && seconds) until = performance.now() + seconds * 1000;
  if (!until) return;
  const left = Math.max(0, Math.ceil((until - performance.now()) / 1000));
  const [hours, minutes, rest] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
  const two = /** @param {number} n */ n => String(n).padStart(2, '0');
  clock.textContent = hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

async function showNext() {
  const next = `${location.pathname}?slide=${byId('main').dataset.next}`;
  try {
    // Only a server that answers is led to: the browser would show nothing but its error otherwise.
    const answer = await fetch(next, { signal: AbortSignal.timeout(NEXT_MS) });
    if (answer.ok) return void location.replace(next);
  } catch {
    // It is away.
  }
  failures += 1;
  byId('stale').hidden = failures < STALE_AFTER;
  setTimeout(showNext, NEXT_MS);
}

countDown();
setInterval(countDown, 1000);
setTimeout(showNext, NEXT_MS);
