/** Whoever writes needs a name: asks the server for a guest's. */
import { request } from './requests.js';

/** @returns {Promise<{id: string, name: string} | null>} null: the server could not be reached, or lets nobody in now */
export async function becomeGuest() {
  const answer = await request('/api/guest', 'POST');
  return answer?.ok ? answer.json() : null;
}
