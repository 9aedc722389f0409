/**
 * Who attacks a square, looked up from that square: its lines outwards, with the pieces that could take along them.
 *
 * A bent rider's attack is not symmetric: the empty elbow is beside the attacker. So its lines run from the target back
 * to the elbow, where the places of attackers are listed.
 *
 * `data` from `start[target]` on: number of straight lines, each its length and, from the target outwards, square and set
 * of attackers; number of bent lines, each its length and, outwards, elbow, number of places, and each place and set.
 * `sets[set << 8 | code]` is 1 if a piece of that code attacks the target from there.
 *
 * @import { VariantRules, Direction } from './variant_rules.js'
 * @import { Reach, Ray } from './movement.js'
 * @typedef {{start: Int32Array, data: Int16Array, sets: Uint8Array}} AttackTables
 * @typedef {{origin: number, codes: number[]}} Place   from where which pieces attack
 * @typedef {{back: Direction, places: Place[][]}} AttackLine   by distance; a straight line has one place at each
 * @typedef {Map<number, AttackLine>[]} AttackLines   by target, then direction
 */
import { squaresAlong } from './movement.js';

/** @param {VariantRules} variant @param {(Reach[] | null)[]} reaches by code, then square @returns {AttackTables} */
export function attackTables(variant, reaches) {
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
