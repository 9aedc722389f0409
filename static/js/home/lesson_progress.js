/**
 * What the reader has done of the lesson of the chosen variant, and the way to what comes next. Knows no board.
 *
 * @import { Progress } from '../rules/progress.js'
 * @typedef {Record<string, [string, string][]>} Tasks   id and name of each task, by lesson
 */
import { byId, createLink, element } from '../ui/dom.js';
import { t } from '../words.js';

/**
 * @param {string} address of the rules page: "grand", "grand960" @param {string} id of the variant, whose lesson a form
 *   without one has @param {Tasks} lessons @param {Progress} progress
 */
export function showLessonProgress(address, id, lessons, progress) {
  const lesson = address in lessons ? address : id;
  const tasks = lessons[lesson] ?? [];
  const open = tasks.filter(([task]) => !progress.has(lesson, task));
  const done = tasks.length - open.length;
  const counted = done ? ` ${t('home.tasks_count', { n: done, all: tasks.length })}` : '';
  byId('chosen-rules').textContent = t(tasks.length ? 'home.lesson' : 'home.rules');
  byId('chosen-tasks').textContent = t('lessons.tasks') + counted;
  byId('chosen-tasks').hidden = !tasks.length;
  element('chosen-tasks', HTMLAnchorElement).href = `/rules/${address}#tasks`;
  byId('lesson-progress').replaceChildren(...words(address, tasks.length, done, open[0]));
}

/** @param {string} address @param {number} all @param {number} done @param {[string, string] | undefined} next @returns {(Node | string)[]} */
function words(address, all, done, next) {
  if (!all) return [];
  if (!next) return [t('lessons.all_done')];
  if (!done) return [t('home.to_learn', { n: all })];
  const [task, name] = next;
  return [t('home.tasks_done', { n: done, all }), ' ', createLink('', `/rules/${address}#task-${task}`, name)];
}
