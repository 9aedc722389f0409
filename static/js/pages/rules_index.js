/** The list of all variants, which needs no script; this marks how many of each one's tasks are done. */
import { Progress } from '../rules/progress.js';
import { pageFacts } from '../ui/dom.js';

/** @type {{tasks: Record<string, string[]>, words: string}} the ids of tasks by lesson */
const { tasks, words } = pageFacts();
const progress = new Progress();

function mark() {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-lesson]'))) {
    const steps = tasks[place.dataset.lesson ?? ''] ?? [];
    const done = progress.count(place.dataset.lesson ?? '', steps);
    place.hidden = done === 0;
    place.textContent = words.replace('{n}', String(done)).replace('{all}', String(steps.length));
  }
}
mark();
void progress.load().then(mark);
