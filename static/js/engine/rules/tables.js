/**
 * A variant compiled for play: everything that is constant, as typed arrays. Pairs are by side, White first.
 *
 * @import { Direction, Endings, VariantRules } from './variant_rules.js'
 * @import { Codes } from './pieces.js'
 * @import { PromotionRule } from './promotion.js'
 * @import { Ray, Reach } from './movement.js'
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
import { reachFrom, squaresAlong } from './movement.js';
import { BLACK, encodePieces } from './pieces.js';
import { promotionRules } from './promotion.js';
import { FILE_LETTERS, parseSquare, rankFor } from './variant_rules.js';

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

// The moves of every piece from every square, in one array of numbers that the move generator reads from front to back.
//
// Three programs for a piece on a square, found by `code << 8 | square`; position 0 means there is nothing to read:
// `both`: number of jumps, each target; number of rays, each its length and squares.
// `divided`: number of quiet rays, each length and squares; then the same of taking rays.
// `bent`: number of elbows, each its square, number of rays, each length and squares.

/**
 * @typedef {object} ReachTables
 * @property {Int32Array} both
 * @property {Int32Array} divided
 * @property {Int32Array} bent
 * @property {Int16Array} data
 */

/** @param {(Reach[] | null)[]} reaches by code, then square @returns {ReachTables} */
function reachTables(reaches) {
  const tables = { both: new Int32Array(65536), divided: new Int32Array(65536), bent: new Int32Array(65536) };
  const data = [0];
  reaches.forEach((squares, code) => {
    squares?.forEach((reach, square) => {
      const at = (code << 8) | square;
      if (reach.both.length) tables.both[at] = addBoth(data, reach.both);
      if (reach.quiet.length + reach.takes.length) tables.divided[at] = addDivided(data, reach);
      if (reach.bents.length) tables.bent[at] = addBents(data, reach);
    });
  });
  return { ...tables, data: Int16Array.from(data) };
}

/** @param {number[]} data @param {Ray[]} rays */
function addBoth(data, rays) {
  const start = data.length;
  const jumps = rays.filter(ray => ray.squares.length === 1);
  data.push(jumps.length, ...jumps.map(ray => ray.squares[0]));
  addRays(
    data,
    rays.filter(ray => ray.squares.length > 1),
  );
  return start;
}

/** @param {number[]} data @param {Reach} reach */
function addDivided(data, reach) {
  const start = data.length;
  addRays(data, reach.quiet);
  addRays(data, reach.takes);
  return start;
}

/** @param {number[]} data @param {Reach} reach */
function addBents(data, { bents }) {
  const start = data.length;
  data.push(bents.length);
  for (const { elbow, rays } of bents) {
    data.push(elbow.squares[0]);
    addRays(data, rays);
  }
  return start;
}

/** @param {number[]} data @param {Ray[]} rays */
function addRays(data, rays) {
  data.push(rays.length);
  for (const { squares } of rays) data.push(squares.length, ...squares);
}

// Who attacks a square, looked up from that square: its lines outwards, with the pieces that could take along them.
//
// A bent rider's attack is not symmetric: the empty elbow is beside the attacker. So its lines run from the target back
// to the elbow, where the places of attackers are listed.
//
// `data` from `start[target]` on: number of straight lines, each its length and, from the target outwards, square and set
// of attackers; number of bent lines, each its length and, outwards, elbow, number of places, and each place and set.
// `sets[set << 8 | code]` is 1 if a piece of that code attacks the target from there.

/**
 * @typedef {{start: Int32Array, data: Int16Array, sets: Uint8Array}} AttackTables
 * @typedef {{origin: number, codes: number[]}} Place   from where which pieces attack
 * @typedef {{back: Direction, places: Place[][]}} AttackLine   by distance; a straight line has one place at each
 * @typedef {Map<number, AttackLine>[]} AttackLines   by target, then direction
 */

/** @param {VariantRules} variant @param {(Reach[] | null)[]} reaches by code, then square @returns {AttackTables} */
function attackTables(variant, reaches) {
  const size = variant.files * variant.ranks;
  /** @returns {AttackLines} */
  const none = () => Array.from({ length: size }, () => new Map());
  const [straight, bent] = [none(), none()];
  reaches.forEach((squares, code) => {
    squares?.forEach((reach, origin) => {
      for (const ray of [...reach.both, ...reach.takes, ...reach.bents.map(one => one.elbow)])
        addRay(straight, ray, origin, code);
      for (const { rays } of reach.bents) for (const ray of rays) addRay(bent, ray, origin, code);
    });
  });
  return flatten(variant, straight, bent);
}

/** @param {AttackLines} lines @param {Ray} ray @param {number} origin @param {number} code */
function addRay(lines, { step: [dx, dy], squares }, origin, code) {
  const direction = ((dx + 16) << 5) | (dy + 16);
  for (let nth = 0; nth < squares.length; nth++) {
    const known = lines[squares[nth]];
    const line = known.get(direction) ?? { back: [-dx, -dy], places: [] };
    known.set(direction, line);
    while (line.places.length <= nth) line.places.push([]);
    const place = line.places[nth].find(one => one.origin === origin);
    if (place) place.codes.push(code);
    else line.places[nth].push({ origin, codes: [code] });
  }
}

/** @param {VariantRules} variant @param {AttackLines} straight @param {AttackLines} bent @returns {AttackTables} */
function flatten(variant, straight, bent) {
  const start = new Int32Array(straight.length);
  /** @type {number[]} */
  const data = [];
  const sets = new Map([['', 0]]);
  /** @param {number[]} codes */
  const setOf = codes => {
    const key = codes.join();
    if (!sets.has(key)) sets.set(key, sets.size);
    return sets.get(key) ?? 0;
  };
  straight.forEach((lines, target) => {
    start[target] = data.length;
    data.push(lines.size);
    for (const { back, places } of lines.values()) {
      const squares = squaresAlong(variant, target, back, places.length);
      data.push(squares.length);
      data.push(...squares.flatMap((square, nth) => [square, setOf(places[nth][0]?.codes ?? [])]));
    }
    data.push(bent[target].size);
    for (const line of bent[target].values()) data.push(...bentLine(variant, target, line, setOf));
  });
  return { start, data: Int16Array.from(data), sets: membership([...sets.keys()]) };
}

/** @param {VariantRules} variant @param {number} target @param {AttackLine} line @param {(codes: number[]) => number} setOf */
function bentLine(variant, target, { back, places }, setOf) {
  const elbows = squaresAlong(variant, target, back, places.length);
  const data = [elbows.length];
  elbows.forEach((elbow, nth) => {
    data.push(elbow, places[nth].length, ...places[nth].flatMap(({ origin, codes }) => [origin, setOf(codes)]));
  });
  return data;
}

/** @param {string[]} sets the codes of each set, joined by commas */
function membership(sets) {
  const flags = new Uint8Array(sets.length << 8);
  sets.forEach((codes, set) => {
    for (const code of codes ? codes.split(',') : []) flags[(set << 8) | Number(code)] = 1;
  });
  return flags;
}

// Random numbers, the same in every run, from which the hash of a position is made: two halves of 32 bits.
//
// What repetition ignores (marks of promoted pieces, gating rights) is hashed apart, in `extra`.

/**
 * @typedef {object} Zobrist
 * @property {Int32Array} low   by `code << 8 | square`
 * @property {Int32Array} high
 * @property {Int32Array} extra   0 for pieces without a mark
 * @property {Int32Array} pocketLow   by `(side * roles + place) << 8 | count`
 * @property {Int32Array} pocketHigh
 * @property {Int32Array} castlingLow   by bit
 * @property {Int32Array} castlingHigh
 * @property {Int32Array} gates   by bit
 * @property {Int32Array} enPassant   by square; the same for both halves
 * @property {Int32Array} checks   by `side << 4 | left to give`; the same for both halves
 * @property {number} side   to both halves if Black is to move
 */

/** xorshift32, seeded. @param {number} seed */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state;
  };
}

/** @param {Codes} codes @param {number} size @param {number} roles in the pocket @returns {Zobrist} */
function zobristOf(codes, size, roles) {
  const next = randomNumbers(0x2545f491);
  const list = (/** @type {number} */ length) => Int32Array.from({ length }, next);
  const low = new Int32Array(65536);
  const high = new Int32Array(65536);
  const extra = new Int32Array(65536);
  codes.kinds.forEach((kind, code) => {
    for (let square = 0; kind && !kind.marked && square < size; square++) {
      low[(code << 8) | square] = next();
      high[(code << 8) | square] = next();
    }
  });
  codes.kinds.forEach((kind, code) => {
    for (let square = 0; kind?.marked && square < size; square++) {
      low[(code << 8) | square] = low[(codes.unmarked[code] << 8) | square];
      high[(code << 8) | square] = high[(codes.unmarked[code] << 8) | square];
      extra[(code << 8) | square] = next();
    }
  });
  const pockets = (2 * roles) << 8;
  return {
    low,
    high,
    extra,
    pocketLow: list(pockets),
    pocketHigh: list(pockets),
    castlingLow: list(32),
    castlingHigh: list(32),
    gates: list(32),
    enPassant: list(256),
    side: next(),
    checks: list(32),
  };
}
