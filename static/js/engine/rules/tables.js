/**
 * A variant compiled for play: everything that is constant, as typed arrays. Pairs are by side, White first.
 *
 * @import { VariantRules, Endings } from './variant_rules.js'
 * @import { Codes } from './pieces.js'
 * @import { ReachTables } from './reach_tables.js'
 * @import { AttackTables } from './attack_tables.js'
 * @import { PromotionRule } from './promotion.js'
 * @import { Zobrist } from './zobrist.js'
 * @import { Reach } from './movement.js'
 *
 * @typedef {object} Castling   files from 0; towards the last file, then towards the first
 * @property {number} kingFrom
 * @property {number[]} kingTo
 * @property {number[]} rookTo
 * @property {number} king   kind
 * @property {number} rook   kind
 *
 * @typedef {object} Tables
 * @property {VariantRules} variant
 * @property {number} size   number of squares
 * @property {Codes} codes
 * @property {(Reach[] | null)[]} reaches   by code, then square
 * @property {ReachTables} reach
 * @property {AttackTables} attacks
 * @property {(PromotionRule | null)[]} promotions   by code
 * @property {Int16Array} limits   by kind: how many may be made by promotion; 0 = no limit
 * @property {Int16Array[][]} dropZones   by side and place in the pocket: squares
 * @property {Uint8Array} pocketKinds   by place in the pocket
 * @property {boolean} setup
 * @property {boolean[]} paired   by place in the pocket
 * @property {number[]} gateKinds
 * @property {Castling | null} castling
 * @property {number[]} firstRank   by side: the first square of its first rank
 * @property {number[]} rankBits   by side: the rights on its first rank
 * @property {Int32Array} keep   by square: the rights that stay when a piece leaves or enters it
 * @property {number[]} behind   by side: from a square to the one behind it
 * @property {Int16Array[]} doubles   by side and origin: the target of a pawn's double step, or -1
 * @property {(number[] | null)[][]} takers   by capturing side and en passant square: origin, code, origin, code …
 * @property {number[]} homes   squares on which the kings start, or -1
 * @property {Endings} endings
 * @property {number[][] | null} around   by square: those next to it, where captures explode
 * @property {boolean} restricted   is not every move legal that leaves the own king safe?
 * @property {boolean} ends   can a game end in a way that chess does not have?
 * @property {number[][][]} extinct   what must not die out: for each, by side, its codes
 * @property {{squares: number[], codes: Uint8Array}[]} goals   by side; [] if nothing has a goal
 * @property {Zobrist} zobrist
 */
import { attackTables } from './attack_tables.js';
import { reachFrom, squaresAlong } from './movement.js';
import { BLACK, encodePieces } from './pieces.js';
import { promotionRules } from './promotion.js';
import { reachTables } from './reach_tables.js';
import { FILE_LETTERS, parseSquare, rankFor } from './variant_rules.js';
import { zobristOf } from './zobrist.js';

const STEPS = [-1, 0, 1];

/** @param {VariantRules} variant @returns {Tables} */
export function compile(variant) {
  const size = variant.files * variant.ranks;
  const codes = encodePieces(variant);
  const squares = Array.from({ length: size }, (_, square) => square);
  const reaches = codes.kinds.map(
    (kind, code) => kind && squares.map(square => reachFrom(variant, kind, code >> 7, square)),
  );
  const limits = new Int16Array(128);
  for (const [role, most] of Object.entries(variant.rules.limits)) limits[codes.become.get(role) ?? 0] = most;
  const kindOf = (/** @type {string} */ role) => codes.placed.get(role) ?? 0;
  const top = (variant.ranks - 1) * variant.files;
  return {
    variant,
    size,
    codes,
    reaches,
    reach: reachTables(reaches),
    attacks: attackTables(variant, reaches),
    promotions: promotionRules(variant, codes),
    limits,
    dropZones: [0, 1].map(side => dropZones(variant, squares, side)),
    pocketKinds: Uint8Array.from(variant.pocketRoles, kindOf),
    setup: variant.rules.setup,
    paired: variant.pocketRoles.map(role => variant.rules.pairs.includes(role)),
    gateKinds: variant.gates.map(kindOf),
    castling: castlingOf(variant, kindOf),
    firstRank: [0, top],
    rankBits: [0xffff, 0xffff << 16],
    keep: Int32Array.from(squares, square => ~rightsBit(variant, square)),
    behind: [-variant.files, variant.files],
    doubles: [0, 1].map(side => doubles(variant, reaches, codes, side)),
    takers: [0, 1].map(side => takers(variant, squares, codes, side)),
    homes: homes(variant),
    endings: variant.rules.endings,
    restricted: variant.rules.mustCapture || variant.rules.mayNotCheck,
    around: variant.rules.explodes ? squares.map(square => neighbours(variant, square)) : null,
    ends: isSpecial(variant.rules.endings) || variant.rules.explodes,
    extinct: extinct(variant, codes),
    goals: goals(variant, codes),
    zobrist: zobristOf(codes, size, variant.pocketRoles.length),
  };
}

/** The bit of castling and gating rights on a square; 0 if it is on no first rank. @param {VariantRules} variant @param {number} square */
function rightsBit(variant, square) {
  const file = square % variant.files;
  if (square < variant.files) return 1 << file;
  return square >= (variant.ranks - 1) * variant.files ? 1 << (16 + file) : 0;
}

/** @param {VariantRules} variant @param {number[]} squares @param {number} side */
function dropZones(variant, squares, side) {
  return variant.pocketRoles.map(role => {
    const ranks = variant.drops?.[role]?.ranks ?? [];
    return Int16Array.from(squares.filter(square => ranks.includes(rankFor(variant, square, side))));
  });
}

/** @param {VariantRules} variant @param {(role: string) => number} kindOf @returns {Castling | null} */
function castlingOf({ castling }, kindOf) {
  if (!castling) return null;
  const files = (/** @type {string[]} */ letters) => letters.map(letter => FILE_LETTERS.indexOf(letter));
  return {
    kingFrom: FILE_LETTERS.indexOf(castling.kingFrom),
    kingTo: files(castling.kingTo),
    rookTo: files(castling.rookTo),
    king: kindOf(castling.king),
    rook: kindOf(castling.rook),
  };
}

/** @param {VariantRules} variant @param {(Reach[] | null)[]} reaches @param {Codes} codes @param {number} side */
function doubles(variant, reaches, codes, side) {
  const found = new Int16Array(variant.files * variant.ranks).fill(-1);
  const forward = side ? -variant.files : variant.files;
  reaches.forEach((squares, code) => {
    if (!squares || !codes.pawn[code] || code >> 7 !== side || codes.kinds[code]?.marked) return;
    squares.forEach((reach, origin) => {
      const ranks = variant.rules.passedFrom[codes.kinds[code]?.role ?? ''];
      if (ranks && !ranks.includes(rankFor(variant, origin, side))) return;
      if (reach.quiet.some(ray => ray.squares[1] === origin + 2 * forward)) found[origin] = origin + 2 * forward;
    });
  });
  return found;
}

/** @param {VariantRules} variant @param {number[]} squares @param {Codes} codes @param {number} side */
function takers(variant, squares, codes, side) {
  /** @type {(number[] | null)[]} */
  const found = squares.map(() => null);
  for (const kindNumber of codes.placed.values()) {
    const kind = codes.kinds[kindNumber];
    if (!kind) continue;
    for (const origin of squares) {
      const { both, takes } = reachFrom(variant, kind, side, origin, true);
      for (const target of [...both, ...takes].flatMap(ray => ray.squares))
        found[target] = [...(found[target] ?? []), origin, kindNumber + side * BLACK];
    }
  }
  return found;
}

/** @param {VariantRules} variant @param {number} square */
const neighbours = (variant, square) =>
  STEPS.flatMap(dx => STEPS.flatMap(dy => (dx || dy ? squaresAlong(variant, square, [dx, dy], 1) : [])));

/** Can a game end in a way that chess does not have? @param {Endings} endings */
const isSpecial = ({ bareKingLoses, checks, extinction, goal }) =>
  bareKingLoses || checks > 0 || extinction !== null || goal !== null;

/** @param {VariantRules} variant @param {Codes} codes */
function extinct(variant, codes) {
  const { extinction } = variant.rules.endings;
  if (!extinction) return [];
  const groups = extinction.kinds.length ? extinction.kinds.map(kind => [kind]) : [Object.keys(variant.roles)];
  const codesOf = (/** @type {string[]} */ roles, /** @type {number} */ side) =>
    codes.kinds.flatMap((kind, code) => (kind && roles.includes(kind.role) && code >> 7 === side ? [code] : []));
  return groups.map(roles => [codesOf(roles, 0), codesOf(roles, 1)]);
}

/** @param {VariantRules} variant @param {Codes} codes */
function goals(variant, codes) {
  const { goal } = variant.rules.endings;
  if (!goal) return [];
  return goal.squares.map((names, side) => ({
    squares: names.map(name => parseSquare(variant, name)),
    codes: Uint8Array.from(codes.kinds, (kind, code) => (kind?.role === goal.role && code >> 7 === side ? 1 : 0)),
  }));
}

/** @param {VariantRules} variant @returns {number[]} */
function homes(variant) {
  const king = Object.keys(variant.roles).find(role => variant.roles[role].royal);
  if (!king) return [-1, -1];
  const rows = variant.startFen.split(' ')[0].split('[')[0].split('/').reverse();
  return [king.toUpperCase(), king].map(letter => {
    const rank = rows.findIndex(row => row.includes(letter));
    if (rank < 0) return -1;
    const before = rows[rank].slice(0, rows[rank].indexOf(letter)).replace(/[+~]/g, '');
    const file = before.replace(/\d+/g, run => ' '.repeat(Number(run))).length;
    return rank * variant.files + file;
  });
}
