/**
 * How a game that is played offline begins: as an address asks for it, or as the next one after another. Pure but for chance
 * and the time.
 *
 * @import { VariantRules } from '../engine/rules/variant_rules.js'
 * @import { OfflineGame } from './game.js'
 */
import { opposite } from '../board/variant.js';
import { shuffledFen } from './shuffle.js';

const ID_LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 10;
const LEVELS = 8;

/** An id as the server draws them: no other game has it. @returns {string} */
export function drawId() {
  const letters = [];
  while (letters.length < ID_LENGTH) {
    const [byte] = crypto.getRandomValues(new Uint8Array(1));
    // Else the first letters would be likelier.
    if (byte < 4 * ID_LETTERS.length) letters.push(ID_LETTERS[byte % ID_LETTERS.length]);
  }
  return letters.join('');
}

/** @param {URLSearchParams} asked level, color, fen @param {VariantRules} rules @param {boolean} chess960 @returns {OfflineGame} */
export function begin(asked, rules, chess960) {
  const color = asked.get('color');
  const level = Number(asked.get('level'));
  return made(rules, chess960, {
    startFen: asked.get('fen') || startOf(rules, chess960),
    color: color === 'white' || color === 'black' ? color : Math.random() < 0.5 ? 'white' : 'black',
    level: Number.isInteger(level) && level >= 1 && level <= LEVELS ? level : 1,
  });
}

/** With the colours swapped; a shuffled start is not played twice. @param {OfflineGame} game @param {VariantRules} rules */
export const nextGame = ({ chess960, startFen, color, level }, rules) =>
  made(rules, chess960, {
    startFen: chess960 ? startOf(rules, chess960) : startFen,
    color: opposite(color),
    level,
  });

/** @param {VariantRules} rules @param {boolean} chess960 */
const startOf = (rules, chess960) => (chess960 ? shuffledFen(rules, Math.random) : rules.startFen);

/** @param {VariantRules} rules @param {boolean} chess960 @param {Pick<OfflineGame, 'startFen' | 'color' | 'level'>} how
 * @returns {OfflineGame} nobody has moved in it */
function made({ id }, chess960, how) {
  const now = Date.now();
  return {
    ...{ id: drawId(), rev: 0, address: id + (chess960 ? '960' : ''), variant: id, chess960, ...how },
    ...{ moves: [], ended: null, end: null, begun: now, played: now, refused: '' },
  };
}
