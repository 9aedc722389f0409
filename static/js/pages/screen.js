/**
 * The screen of a hall: asks for the next slide again and again, for days. While the server is away it keeps what it shows, and says so;
 * after an update of the site it loads itself anew.
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

const script = /** @param {Document} from */ from => from.querySelector('script[src]')?.getAttribute('src');

async function showNext() {
  try {
    const answer = await fetch(`${location.pathname}?slide=${byId('main').dataset.next}`, {
      signal: AbortSignal.timeout(NEXT_MS),
    });
    if (!answer.ok) throw new Error(String(answer.status));
    const next = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const main = next.getElementById('main');
    if (!main) throw new Error('no slide');
    if (script(next) !== script(document)) return void location.reload();
    byId('main').replaceWith(document.adoptNode(main));
    until = 0;
    failures = 0;
  } catch {
    failures += 1;
  }
  byId('stale').hidden = failures < STALE_AFTER;
  setTimeout(showNext, NEXT_MS);
}

countDown();
setInterval(countDown, 1000);
setTimeout(showNext, NEXT_MS);
