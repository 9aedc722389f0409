/**
 * A seek in words. Pure; knows the wire's types and no element.
 *
 * @import { SeekView as Seek } from '../net/wire.js'
 */
import { t } from '../words.js';

/** @param {Seek} seek */
export const isCorrespondence = seek => seek.clock.endsWith('d');

/** "5+3", "½+1", "3 days" @param {string} clock */
export function clockWords(clock) {
  if (clock.endsWith('d')) return t('lobby.days', { n: parseInt(clock, 10) });
  const [initial, increment] = clock.split('+').map(Number);
  const minutes = initial / 60;
  const half = minutes % 1 === 0.5 ? '½' : '';
  const whole = half ? Math.floor(minutes) || '' : Math.round(minutes * 100) / 100;
  return `${whole}${half}+${increment}`;
}

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
  [variantWords(seek, variantName), clockWords(seek.clock), colorWords(seek), seek.rated && t('lobby.rated_game')]
    .filter(Boolean)
    .join(', ');
