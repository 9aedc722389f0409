/**
 * A seek in words. Pure; knows the wire's types and no element.
 *
 * @import { SeekView as Seek } from '../net/wire.js'
 */
import { clockTerms, isClockByDays } from '../game/terms.js';
import { t } from '../words.js';

/** @param {Seek} seek */
export const isCorrespondence = seek => isClockByDays(seek.clock);

/** "5+3", "0.5+1", "3 days", "10+1 days, up to 30" @param {string} clock */
export const clockWords = clock => clockTerms(clock, 'terms.n_days');

/** "Grand Chess", "Chess 960", "Chess, Grand Chess", "Any variant" @param {Seek} seek @param {(id: string) => string} variantName */
export function variantWords({ variants, chess960 }, variantName) {
  if (!variants) return t('lobby.any_variant');
  const names = variants.map(variantName).join(', ');
  return chess960 ? t('lobby.shuffled', { variant: names }) : names;
}

/** @param {Seek} seek */
export const colorWords = ({ color }) =>
  color ? t(color === 'white' ? 'lobby.wants_white' : 'lobby.wants_black') : '';

/** The whole seek, for screen readers. @param {Seek} seek @param {(id: string) => string} variantName */
export const seekWords = (seek, variantName) =>
  [
    variantWords(seek, variantName),
    clockWords(seek.clock),
    colorWords(seek),
    t(seek.rated ? 'terms.rated' : 'terms.casual'),
  ]
    .filter(Boolean)
    .join(', ');
