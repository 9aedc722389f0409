/**
 * A seek in words. Pure; knows the wire's types and no element.
 *
 * @import { SeekView as Seek } from '../net/wire.js'
 */
import { clockTerms, isClockByDays } from '../game/terms.js';
import { shuffledName, t } from '../words.js';

/** @param {Seek} seek */
export const isCorrespondence = seek => isClockByDays(seek.clock);

/** "5+3", "0.5+1", "3 days", "10+1 days, up to 30" @param {string} clock */
export const clockWords = clock => clockTerms(clock, 'terms.n_days');

/** "Grand Chess", "Chess960", "Chess, Grand Chess", "Any variant" @param {Seek} seek @param {(id: string) => string} variantName */
export function variantWords({ variants, chess960 }, variantName) {
  if (!variants) return t('lobby.any_variant');
  const names = variants.map(variantName).join(', ');
  return chess960 ? shuffledName(names) : names;
}

/** @param {Seek} seek */
export const colorWords = ({ color }) =>
  color ? t(color === 'white' ? 'lobby.wants_white' : 'lobby.wants_black') : '';

/** "1400–1600", "from 1400", "up to 1600"; '' without a range. @param {Seek} seek */
export function rangeWords({ lowest = 0, highest = 0 }) {
  if (lowest && highest) return t('lobby.range_between', { lowest, highest });
  if (lowest) return t('lobby.range_from', { lowest });
  return highest ? t('lobby.range_up_to', { highest }) : '';
}

/** The whole seek, for screen readers. @param {Seek} seek @param {(id: string) => string} variantName */
export const seekWords = (seek, variantName) =>
  [
    variantWords(seek, variantName),
    clockWords(seek.clock),
    colorWords(seek),
    t(seek.rated ? 'terms.rated' : 'terms.casual'),
    rangeWords(seek) && t('lobby.asks_rating', { range: rangeWords(seek) }),
  ]
    .filter(Boolean)
    .join(', ');
