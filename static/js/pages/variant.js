/**
 * The page of one variant: its start position to try moves on, and a diagram for each kind of piece, drawn from the
 * movement data of the rules.
 */
import { FirstMove } from '../home/first_move.js';
import { pieceDiagram } from '../home/diagram.js';
import { dress } from '../../pieces/dress.mjs';

/** @param {string} id */
const $ = id => /** @type {HTMLElement} */ (document.getElementById(id));
/** @type {{variant: import('../home/first_move.js').Start}} */
const { variant } = JSON.parse($('page').textContent ?? '');
const invitation = $('about-hint').textContent;

dress($('main'), variant);
const start = new FirstMove(variant, moveMade, text => ($('about-hint').textContent = text || invitation));
$('start').append(start.element);
$('diagrams').replaceChildren(...Object.keys(variant.roles).map(role => pieceDiagram(variant, role)));

/** Here a move only shows what the board does; after a moment it is taken back. */
function moveMade() {
  setTimeout(() => start.takeBack(), 1200);
}
