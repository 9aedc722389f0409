/** Requests that a page makes beside its socket. Knows none of them. */
import { t } from '../words.js';

/** A board or a form waits for the answer; a server that has not answered by then will not. */
const PATIENCE_MS = 20_000;

/** The server refused what was asked, or could not be asked; the message is a sentence for the person. */
export class RequestFailed extends Error {
  /**
   * @param {string} message @param {string} [refusal] the id of the server's reason; '' if it could not be asked
   * @param {Record<string, any>} [answer] what else the server said
   */
  constructor(message, refusal = '', answer = {}) {
    super(message);
    this.refusal = refusal;
    this.answer = answer;
  }
}

/**
 * @param {string} path @param {string} [method] @param {object} [body] sent as JSON
 * @returns {Promise<Response | null>} null: the server cannot be reached now
 */
export function request(path, method = 'GET', body) {
  const json = body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  return fetch(path, { method, ...json, signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => null);
}

/** @param {string} path of a socket @returns {Promise<string | null>} why the server has no place for it now; null: it has, or is away */
export async function whyNoPlace(path) {
  const answer = await request(`${path}${path.includes('?') ? '&' : '?'}why`);
  const content = answer?.status === 429 ? await answer.json().catch(() => null) : null;
  return content?.message ?? null;
}

/**
 * @param {string} path @param {string} [method] @param {object} [body]
 * @param {string} [failed] what to tell the person if the server gives no reason
 * @returns {Promise<any>} what the server answers in JSON @throws {RequestFailed}
 */
export async function requestJson(path, method = 'GET', body, failed = t('lobby.unreachable')) {
  const answer = await request(path, method, body);
  // Half an answer is none: the connection can be lost in it, and some networks answer with a page of their own.
  const content = await answer?.json().catch(() => null);
  if (answer && !answer.ok) throw new RequestFailed(content?.message ?? failed, content?.refusal, content ?? {});
  if (!content) throw new RequestFailed(t('lobby.unreachable'));
  return content;
}
