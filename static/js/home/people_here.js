/** How many people are on the site, at the top of the front page; asked for once the page has its board. */
import { requestJson } from '../net/requests.js';
import { byId } from '../ui/dom.js';

/** Says nothing if the server does not answer, or counts nobody. */
export async function countPeopleHere() {
  const company = await requestJson('/api/online').catch(() => null);
  if (!company?.count) return;
  byId('people-here').textContent = String(company.count);
  byId('now').classList.add('known');
}
