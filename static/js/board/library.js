/**
 * Sets up the board library, chessgroundx, for a variant, and speaks its language: keys, origins and kinds of piece go in and
 * come out as everywhere else here. Knows no position.
 *
 * @import { Config } from 'chessgroundx/config'
 * @import { Color, Variant } from './variant.js'
 * @typedef {ReturnType<typeof createLibrary>} Library
 *
 * @typedef {object} Handlers
 * @property {(square: string) => string[]} premoveTargets
 * @property {(color: Color, role: string) => string[]} predropTargets
 * @property {() => void} unset   the premove has been cancelled
 * @property {() => void} picked   a piece may have been picked up or put down
 * @property {(container: HTMLElement) => void} inserted   its elements have been made anew
 *
 * @typedef {object} Mark   an arrow for a move
 * @property {string} uci
 * @property {Color} color   who would make it
 * @property {'best' | 'other' | 'threat'} kind
 * @property {number} width   of a square's 64 parts
 */
import { Chessground } from 'chessgroundx';
import { fromKey, fromLibraryRole, fromOrigin, toKey, toLibraryRole, toOrigin } from './geometry.js';
import { dropOrigin } from './gestures.js';
import { parseUci } from './position.js';
import { isRoyal } from './variant.js';
import { followPreferences } from './board_preferences.js';

/** @param {Variant} variant @param {HTMLElement} element @param {HTMLElement} pocketTop @param {HTMLElement} pocketBottom
 * @param {Handlers} handlers */
export function createLibrary(variant, element, pocketTop, pocketBottom, handlers) {
  const roles = variant.pocketRoles.map(toLibraryRole);
  const kings = Object.keys(variant.roles).filter(role => isRoyal(variant, role));
  /** @type {Config} */
  const config = {
    fen: variant.startFen.split(' ')[0],
    dimensions: { width: variant.files, height: variant.ranks },
    kingRoles: kings.map(toLibraryRole),
    pocketRoles: variant.pocket === 'none' ? undefined : { white: roles, black: roles },
    autoCastle: false, // the library guesses castling from the size of the board, wrongly on 12x12
    drawable: { defaultSnapToValidMove: false },
    movable: { free: false, color: undefined },
    premovable: premovable(handlers),
    events: /** @type {Config['events']} */ ({
      insert: (/** @type {import('chessgroundx/types').Elements} */ { container }) => handlers.inserted(container),
      select: () => handlers.picked(),
      selectPocket: () => handlers.picked(), // which its types have forgotten
    }),
  };
  const library = Chessground(element, config, pocketTop, pocketBottom);
  followPreferences(preferences => library.set(preferences));
  // It caches where the board is until the page scrolls, but content that appears above the board moves it too.
  const measureAnew = () => library.state.dom.bounds.clear();
  for (const kind of ['pointerover', 'pointerdown'])
    document.addEventListener(kind, measureAnew, { capture: true, passive: true });
  return library;
}

/** @param {Handlers} handlers @returns {Config['premovable']} */
const premovable = handlers => ({
  premoveFunc: (_, key) => handlers.premoveTargets(fromKey(key)).map(toKey),
  predropFunc: (_, piece) => handlers.predropTargets(piece.color, fromLibraryRole(piece.role)).map(toKey),
  events: { unset: () => handlers.unset() },
});

/** @param {(from: string, to: string) => void} premoved from: a square or a drop
 * @returns {NonNullable<Config['premovable']>['events']} */
export const premoveEvents = premoved => ({ set: (from, to) => premoved(fromOrigin(from), fromKey(to)) });

/** @param {(from: string, to: string) => void} moved from: a square or a drop
 * @returns {NonNullable<Config['movable']>['events']} */
export const moveEvents = moved => ({
  after: (from, to) => moved(fromKey(from), fromKey(to)),
  afterNewPiece: (piece, to) => moved(dropOrigin(fromLibraryRole(piece.role)), fromKey(to)),
});

/** @param {Map<string, string[]>} targets by origin @returns {Map<import('chessgroundx/types').Orig, import('chessgroundx/types').Key[]>} */
export const libraryDests = targets =>
  new Map([...targets].map(([from, squares]) => [toOrigin(from), squares.map(toKey)]));

/** @param {Library} library @returns {string | null} what is picked up: a square or a drop */
export function pickedUp(library) {
  const { selected } = library.state.selectable;
  if (!selected) return null;
  return typeof selected === 'string' ? fromKey(selected) : dropOrigin(fromLibraryRole(selected.role));
}

/** Whether a move has been made on the board which nobody has been told of yet. @param {Library} library */
export const isJustMoved = library => !library.state.movable.dests;

/** @param {Library} library @returns {string[] | null} origin and target of the premove */
export function premoveOf(library) {
  const { current } = library.state.premovable;
  return current ? [fromOrigin(current[0]), fromKey(current[1])] : null;
}

/** @param {Library} library @returns {string | null} the square over which a piece of the pocket is being dragged */
export function dragged(library) {
  const { current } = library.state.draggable;
  const key = current?.orig === 'a0' && library.getKeyAtDomPos(current.pos);
  return key ? fromKey(key) : null;
}

const BRUSHES = { best: 'paleBlue', other: 'paleGrey', threat: 'paleRed' };

/** Draws arrows, in place of those before; a piece that comes in is drawn where it does. @param {Library} library @param {Mark[]} marks */
export function showMarks(library, marks) {
  library.setAutoShapes(
    marks.flatMap(({ uci, color, kind, width }) => {
      const { from, to, drop, suffix } = parseUci(uci);
      const brush = BRUSHES[kind];
      const role = toLibraryRole(drop ?? suffix);
      const piece = { role, color, scale: 0.85 };
      if (drop)
        return [
          { orig: toKey(to), brush },
          { orig: toKey(to), piece },
        ];
      const arrow = { orig: toKey(from ?? to), dest: toKey(to), brush, modifiers: { lineWidth: width } };
      return /^[a-z]$/.test(suffix) ? [arrow, { orig: toKey(to), piece }] : [arrow];
    }),
  );
}
