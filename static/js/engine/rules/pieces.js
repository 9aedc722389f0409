/**
 * Pieces as numbers, so that a board is plain bytes: 0 is the empty square, 1..k are White's kinds and 128+1..128+k
 * Black's. A kind is a role, possibly marked as promoted ("~" in a FEN: it goes to the pocket as a pawn) or as unmoved (a
 * king with its first-move right).
 *
 * @import { VariantRules, Role } from './variant_rules.js'
 * @typedef {{role: string, info: Role, marked: boolean, unmoved: boolean}} Kind
 *
 * @typedef {object} Codes   Lists by code have 256 entries; pairs are by side, White first.
 * @property {(Kind | null)[]} kinds
 * @property {number} number   of kinds
 * @property {string[]} symbols   FEN text by code
 * @property {Map<string, number>} bySymbol   the king's is that of the moved one
 * @property {Map<string, number>} placed   kind by role, without a mark
 * @property {Map<string, number>} become   kind by role of a promoted piece, with its mark
 * @property {number} unmovedKing   kind of the king with its first-move right; 0 if there is no such right
 * @property {Uint8Array} king
 * @property {Uint8Array} pawn
 * @property {Uint8Array} mating
 * @property {Uint8Array} colorBound
 * @property {Uint8Array} settled   the code after a move, without the first-move right
 * @property {Uint8Array} unmarked   the code without "~"
 * @property {Int8Array} toPocket   place in the captor's pocket, or -1
 */
export const BLACK = 128;

/** @param {VariantRules} variant @returns {Codes} */
export function encodePieces(variant) {
  const list = kindsOf(variant);
  /** @type {(Kind | null)[]} */
  const kinds = new Array(256).fill(null);
  list.forEach((kind, nth) => {
    kinds[nth + 1] = kinds[BLACK + nth + 1] = kind;
  });
  const symbols = kinds.map((kind, code) => (kind ? symbol(kind, code >= BLACK) : ' '));
  /** @param {(kind: Kind) => boolean} wanted @returns {Map<string, number>} */
  const byRole = wanted => new Map(list.flatMap((kind, nth) => (wanted(kind) ? [[kind.role, nth + 1]] : [])));
  const placed = byRole(kind => !kind.marked && !kind.unmoved);
  /** @param {(kind: Kind) => boolean} test */
  const flags = test => Uint8Array.from(kinds, kind => (kind && test(kind) ? 1 : 0));
  /** @param {(kind: Kind) => boolean} changed */
  const plain = changed =>
    Uint8Array.from(kinds, (kind, code) =>
      kind && changed(kind) ? (placed.get(kind.role) ?? 0) + (code & BLACK) : code,
    );
  return {
    kinds,
    number: list.length,
    symbols,
    bySymbol: new Map(symbols.flatMap((text, code) => (kinds[code] && !kinds[code].unmoved ? [[text, code]] : []))),
    placed,
    become: new Map([...placed, ...byRole(kind => kind.marked)]),
    unmovedKing: list.findIndex(kind => kind.unmoved) + 1,
    king: flags(kind => kind.info.royal),
    pawn: flags(kind => kind.info.pawn),
    mating: flags(kind => variant.rules.mating.includes(kind.role)),
    colorBound: flags(kind => isColorBound(kind.info)),
    settled: plain(kind => kind.unmoved),
    unmarked: plain(kind => kind.marked),
    toPocket: Int8Array.from(kinds, kind => (kind ? pocketOf(variant, kind) : -1)),
  };
}

/** @param {VariantRules} variant @returns {Kind[]} */
function kindsOf(variant) {
  const found = [];
  for (const [role, info] of Object.entries(variant.roles)) {
    found.push({ role, info, marked: false, unmoved: false });
    if (info.royal && variant.rules.firstMove) found.push({ role, info, marked: false, unmoved: true });
  }
  if (variant.rules.captures)
    for (const role of new Set(Object.values(variant.promotion).flatMap(rule => rule.to)))
      if (role[0] !== '+') found.push({ role, info: variant.roles[role], marked: true, unmoved: false });
  return found;
}

/** @param {Kind} kind @param {boolean} black */
const symbol = (kind, black) => (black ? kind.role : kind.role.toUpperCase()) + (kind.marked ? '~' : '');

/** @param {Role} info */
const isColorBound = info =>
  !info.royal &&
  info.moves.every(move => [...move.steps, ...(move.then ?? [])].every(([dx, dy]) => (dx + dy) % 2 === 0));

/** @param {VariantRules} variant @param {Kind} kind */
function pocketOf(variant, kind) {
  if (!variant.rules.captures || kind.info.royal) return -1;
  const pawn = Object.keys(variant.roles).find(role => variant.roles[role].pawn) ?? '';
  return variant.pocketRoles.indexOf(kind.marked ? pawn : variant.rules.capturedAs[kind.role]);
}
