/**
 * Attacks on a square, checks and pins, looked up from the square that is attacked.
 *
 * @import { Position } from './position.js'
 */

/**
 * Could a piece of side `by` capture on `target`?
 * @param {Position} p @param {number} target @param {number} by
 * @param {number} ignored a square to treat as empty, the king's own, so that it cannot hide behind itself; or -1
 */
export function isAttacked(p, target, by, ignored) {
  const { board } = p;
  const { start, data, sets } = p.tables.attacks;
  let at = start[target];
  for (let lines = data[at++]; lines > 0; lines--) {
    const end = at + 1 + 2 * data[at];
    for (at++; at < end; at += 2) {
      const code = board[data[at]];
      if (code === 0 || data[at] === ignored) continue;
      if (code >> 7 === by && sets[(data[at + 1] << 8) | code]) return true;
      break;
    }
    at = end;
  }
  return data[at] > 0 && isAttackedByBent(p, at, by, ignored);
}

/** Is that side's king attacked? Where captures explode, not beside the other king, which would go with it. @param {Position} p @param {number} side */
export function isInCheck(p, side) {
  const king = p.kings[side];
  return king >= 0 && !isSheltered(p, king, 1 - side) && isAttacked(p, king, 1 - side, -1);
}

/** Does a king there stand beside that of side `by`, where captures explode? @param {Position} p @param {number} square @param {number} by */
export const isSheltered = ({ kings, tables: { around } }, square, by) => around?.[square].includes(kings[by]) ?? false;

/** @param {Position} p @param {number} from where the bent lines begin @param {number} by @param {number} ignored */
function isAttackedByBent(p, from, by, ignored) {
  const { board } = p;
  const { data, sets } = p.tables.attacks;
  let at = from;
  for (let lines = data[at++]; lines > 0; lines--) {
    let open = true;
    for (let elbows = data[at++]; elbows > 0; elbows--) {
      const elbow = data[at];
      const end = at + 2 + 2 * data[at + 1];
      open &&= board[elbow] === 0 || elbow === ignored;
      for (at += 2; open && at < end; at += 2) {
        const code = board[data[at]];
        if (code && code >> 7 === by && sets[(data[at + 1] << 8) | code]) return true;
      }
      at = end;
    }
  }
  return false;
}

const MOST_PINS = 512;

/** What stands between a king and its attackers; written anew by each `findChecks`. */
export const found = {
  checks: 0,
  /** By square: how many of the checks a piece that comes there would meet. */
  answers: new Uint8Array(256),
  pins: 0,
  /** The squares of pinned pieces. */
  pinned: new Int16Array(MOST_PINS),
  /** By `pin << 8 | square`: may the pinned piece go there? */
  still: new Uint8Array(MOST_PINS << 8),
};

/** Squares from the king on, while a line is followed. */
const path = new Int16Array(256);

/** Finds the checks on the king of the side to move, and its pinned pieces, into `found`. @param {Position} p */
export function findChecks(p) {
  const king = p.kings[p.side];
  if (found.checks) found.answers.fill(0);
  found.checks = found.pins = 0;
  if (king < 0) return;
  const { board, side } = p;
  const { start, data, sets } = p.tables.attacks;
  let at = start[king];
  for (let lines = data[at++]; lines > 0; lines--) {
    const end = at + 1 + 2 * data[at];
    let own = -1;
    let length = 0;
    for (at++; at < end; at += 2) {
      const code = board[data[at]];
      path[length++] = data[at];
      if (code === 0) continue;
      if (code >> 7 !== side) {
        if (sets[(data[at + 1] << 8) | code]) note(own, length);
        break;
      }
      if (own >= 0) break;
      own = data[at];
    }
    at = end;
  }
  if (data[at] > 0) findBentChecks(p, at);
}

/** @param {Position} p @param {number} from where the bent lines begin */
function findBentChecks(p, from) {
  const { board, side } = p;
  const { data, sets } = p.tables.attacks;
  let at = from;
  for (let lines = data[at++]; lines > 0; lines--) {
    let own = -1;
    let open = true;
    let length = 0;
    for (let elbows = data[at++]; elbows > 0; elbows--) {
      const elbow = data[at];
      const end = at + 2 + 2 * data[at + 1];
      const code = board[elbow];
      path[length++] = elbow;
      if (code) {
        open &&= own < 0 && code >> 7 === side;
        own = elbow;
      }
      for (at += 2; open && at < end; at += 2) {
        const attacker = board[data[at]];
        if (!attacker || attacker >> 7 === side || !sets[(data[at + 1] << 8) | attacker]) continue;
        path[length] = data[at];
        note(own, length + 1);
      }
      at = end;
    }
  }
}

/** Notes a check, or a pin of the piece on `own`. `path` has the line, the attacker last. @param {number} own or -1 @param {number} length */
function note(own, length) {
  if (own < 0) {
    found.checks++;
    for (let nth = 0; nth < length; nth++) found.answers[path[nth]]++;
    return;
  }
  if (found.pins === MOST_PINS) throw new Error('more pins than a king has lines');
  const pin = found.pins++;
  found.pinned[pin] = own;
  found.still.fill(0, pin << 8, (pin + 1) << 8);
  for (let nth = 0; nth < length; nth++) found.still[(pin << 8) | path[nth]] = 1;
}

/** Can all checks be met on one square? */
export function canAnswer() {
  return found.checks <= 1 || found.answers.includes(found.checks);
}

/** By empty or enemy square: the set of those who would check the enemy king from there; 0 elsewhere. */
export const checkSets = new Int16Array(256);

/** Fills `checkSets` for the side to move; bent lines are left out. @param {Position} p */
export function markCheckSquares(p) {
  checkSets.fill(0);
  const king = p.kings[1 - p.side];
  if (king < 0) return;
  const { board } = p;
  const { start, data } = p.tables.attacks;
  let at = start[king];
  for (let lines = data[at++]; lines > 0; lines--) {
    const end = at + 1 + 2 * data[at];
    for (at++; at < end; at += 2) {
      checkSets[data[at]] = data[at + 1];
      if (board[data[at]]) break;
    }
    at = end;
  }
}
