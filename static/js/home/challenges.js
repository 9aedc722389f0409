/** The list of challenges to the reader by name, to which an open front page adds new ones. */
import { requestJson } from '../net/requests.js';
import { byId } from '../ui/dom.js';
import { t } from '../words.js';
import { gameRow } from './games_strip.js';

/** @param {string} by a name @param {string} game id @param {(variant: string) => string} variantName */
export async function listChallenge(by, game, variantName) {
  const found = await requestJson(`/api/games/${game}`).catch(() => null);
  if (!found) return;
  const { variant, chess960, rated } = found;
  const words = t('lobby.against', { variant: variantName(variant) + (chess960 ? ' 960' : ''), name: by });
  byId('challenges-list').prepend(gameRow(game, words, rated ? t('challenge.rated') : '', true));
  byId('challenges').hidden = false;
}
