/**
 * The rules of one variant: everything is there without scripts; this adds the board to try the game on.
 */
import { FirstMove } from '../home/first_move.js';
import { dress } from '../../pieces/dress.mjs';

/** @param {string} id */
const $ = id => /** @type {HTMLElement} */ (document.getElementById(id));
/** @type {{variant: import('../home/first_move.js').Start}} */
const { variant } = JSON.parse($('page').textContent ?? '');

dress($('try'), variant);
const start = new FirstMove(variant, () => {}, text => ($('try-says').textContent = text));
$('try-board').append(start.element);
$('try-back').addEventListener('click', () => start.takeBack());
$('try-again').addEventListener('click', () => start.takeBack());
