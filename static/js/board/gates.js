/**
 * Pieces that enter from the pocket behind another one that moves: through which pieces they may, and what is left to do once
 * one of them has been taken first. Pure; judges nothing: on the player's turn the server's moves decide.
 *
 * @import { Gestures, Option } from './gestures.js'
 */

/** @param {Option} option @param {string} role */
const enters = ({ gate, suffix }, role) => gate !== null && suffix === role;

/** The options of one gesture with which that kind enters. @param {Option[]} options @param {string} role */
export const entering = (options, role) => options.filter(option => enters(option, role));

/** The pieces behind which that kind can enter now. @param {Gestures} gestures @param {string} role @returns {string[]} squares */
export const gatesFor = (gestures, role) =>
  [...gestures]
    .filter(([, fan]) => [...fan.values()].some(options => options.some(option => enters(option, role))))
    .map(([from]) => from);

/** The squares to which a piece can go so that this kind enters. @param {Gestures} gestures @param {string} from @param {string} role */
export const targetsWith = (gestures, from, role) =>
  [...(gestures.get(from) ?? [])].filter(([, options]) => entering(options, role).length).map(([to]) => to);
