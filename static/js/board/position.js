/**
 * Reads the FEN and UCI that the server sends, and predicts the position after a move until the server's FEN arrives.
 * Judges nothing: whatever the server calls legal is legal.
 *
 * @import { Color, Variant } from './variant.js'
 * @typedef {{role: string, color: Color, promoted: boolean}} Piece  role: lower-case letter, '+p' for promoted kinds;
 *   promoted: it is demoted when captured
 * @typedef {Map<string, Piece>} Pieces  by square
 * @typedef {object} Position
 * @property {Pieces} pieces
 * @property {Record<Color, Map<string, number>>} pockets   role -> how many
 * @property {Color} turn
 * @property {string} rights   the castling field
 * @property {string | null} passed   the en passant square
 * @property {Record<Color, number> | null} toCheck   how many checks each side still has to give, where they are counted
 *
 * @typedef {object} Uci
 * @property {string | null} from
 * @property {string} to
 * @property {string | null} drop   role of the dropped piece
 * @property {string} suffix   promotion or gating letter, '+', or ''
 */
import { toSquare, toXY } from './geometry.js';
import { t } from '../words.js';
import { opposite, pieceWords } from './variant.js';

/** @param {string} letter @returns {Color} */
const colorOf = letter => (letter === letter.toUpperCase() ? 'white' : 'black');

/** @param {string} text the first field of a FEN, without the pockets @returns {Pieces} */
function parseBoard(text) {
  /** @type {Pieces} */
  const pieces = new Map();
  const rows = text.split('/');
  rows.forEach((row, index) => {
    let x = 0;
    for (const [, run, plus, letter, mark] of row.matchAll(/(\d+)|(\+?)([a-z])(~?)/gi)) {
      if (run) x += Number(run);
      else {
        const role = plus + letter.toLowerCase();
        const piece = { role, color: colorOf(letter), promoted: plus !== '' || mark !== '' };
        pieces.set(toSquare(x++, rows.length - 1 - index), piece);
      }
    }
  });
  return pieces;
}

/** @param {string} fen @returns {Position} */
export function parseFen(fen) {
  const [first, turn, rights = '-', passed = '-', counted = ''] = fen.split(' ');
  const [, white, black] = /^(\d)\+(\d)$/.exec(counted) ?? [];
  const [board, pocket = ''] = first.split('[');
  const pockets = { white: new Map(), black: new Map() };
  for (const letter of pocket.replace(']', '')) {
    const pocket = pockets[colorOf(letter)];
    const role = letter.toLowerCase();
    pocket.set(role, (pocket.get(role) ?? 0) + 1);
  }
  return {
    pieces: parseBoard(board),
    pockets,
    turn: turn === 'b' ? 'black' : 'white',
    rights,
    passed: passed === '-' ? null : passed,
    toCheck: white ? { white: Number(white), black: Number(black) } : null,
  };
}

/** How many half-moves had been played when the position was reached, by its move number. @param {string} fen @returns {number} */
export function halfMovesBefore(fen) {
  const fields = fen.split(' ');
  return 2 * (Math.max(1, Number(fields.slice(5).pop()) || 1) - 1) + (fields[1] === 'b' ? 1 : 0);
}

/** @param {number} half the number of a half-move, from 0 @param {boolean} always also before Black's moves @returns {string} "12." */
export const moveNumber = (half, always) =>
  half % 2 === 0 ? `${half / 2 + 1}.` : always ? `${(half + 1) / 2}...` : '';

const UCI = /^(?:([A-Z])@|([a-z]\d{1,2}))([a-z]\d{1,2})([a-z+]?)$/;

/** @param {string} text @returns {Uci} */
export function parseUci(text) {
  const found = UCI.exec(text);
  if (!found) throw new Error(`Not a move in UCI: ${text}`);
  const [, drop, from, to, suffix] = found;
  return { from: from ?? null, to, drop: drop ? drop.toLowerCase() : null, suffix };
}

/** @param {string | null | undefined} uci of the last move, if there is one @returns {string[]} the squares to mark */
export function lastMoveSquares(uci) {
  if (!uci) return [];
  const { from, to } = parseUci(uci);
  return from ? [from, to] : [to];
}

/**
 * The squares of king and rook in a castling move; null for any other move. Castling is written as the king's move to its
 * castled square, as king takes own rook (960), or rook square first if a piece is gated on the rook's square.
 * @param {Variant} variant @param {Pieces} pieces @param {Uci} move
 * @returns {{king: string, rook: string | null, side: 0 | 1} | null} side: index into castling.kingTo
 */
export function castlingOf(variant, pieces, { from, to }) {
  if (!variant.castling || !from) return null;
  const mover = pieces.get(from);
  const target = pieces.get(to);
  if (!mover) return null;
  const [fx, fy] = toXY(from);
  const [tx, ty] = toXY(to);
  const kingMoves = mover.role === variant.castling.king;
  if (target?.color === mover.color) {
    const right = kingMoves ? tx > fx : fx > tx;
    return { king: kingMoves ? from : to, rook: kingMoves ? to : from, side: right ? 0 : 1 };
  }
  if (!kingMoves || fy !== ty || Math.abs(tx - fx) < 2) return null;
  const side = tx > fx ? 0 : 1;
  return { king: from, rook: outermostRook(variant, pieces, from, side), side };
}

/**
 * The outermost rook on one side of its king; a rook is whatever piece the variant's king castles with.
 * @param {Variant} variant @param {Pieces} pieces @param {string} king its square @param {0 | 1} side 0: to the right from White's side
 * @returns {string | null}
 */
export function outermostRook(variant, pieces, king, side) {
  const color = pieces.get(king)?.color;
  const [x] = toXY(king);
  const outward = [...pieces]
    .filter(([, piece]) => piece.role === variant.castling?.rook && piece.color === color)
    .map(([at]) => at)
    .filter(at => at.slice(1) === king.slice(1))
    .filter(at => (side === 0 ? toXY(at)[0] > x : toXY(at)[0] < x))
    .sort((a, b) => (side === 0 ? toXY(b)[0] - toXY(a)[0] : toXY(a)[0] - toXY(b)[0]));
  return outward[0] ?? null;
}

/**
 * The position after a move, as far as it can be told without rules; the server's FEN then replaces it.
 * @param {Variant} variant @param {Position} position @param {Uci} move
 * @returns {Position}
 */
export function predict(variant, position, move) {
  const color = position.turn;
  const pieces = new Map(position.pieces);
  const pockets = { ...position.pockets, [color]: new Map(position.pockets[color]) };
  /** @param {string} role @param {string} square */
  const takeFromPocket = (role, square) => {
    pieces.set(square, { role, color, promoted: false });
    pockets[color].set(role, (pockets[color].get(role) ?? 0) - 1);
  };
  const mover = move.from ? pieces.get(move.from) : undefined;
  if (move.drop) takeFromPocket(move.drop, move.to);
  else if (move.from && mover) {
    const castling = castlingOf(variant, pieces, move);
    if (castling) moveCastling(variant, pieces, castling);
    else {
      pieces.delete(move.from);
      pieces.set(move.to, { ...mover, ...promotedKind(variant, mover.role, move.suffix) });
    }
    if (isGate(variant, mover.role, move.suffix)) takeFromPocket(move.suffix, move.from);
  }
  return { ...position, pieces, pockets, turn: opposite(color), passed: null };
}

/** @param {Variant} variant @param {Pieces} pieces changed in place
 *  @param {{king: string, rook: string | null, side: 0 | 1}} castling */
function moveCastling(variant, pieces, { king, rook, side }) {
  const [kingPiece, rookPiece] = [pieces.get(king), rook && pieces.get(rook)];
  const rank = king.slice(1);
  pieces.delete(king);
  if (rook) pieces.delete(rook);
  if (kingPiece) pieces.set(variant.castling?.kingTo[side] + rank, kingPiece);
  if (rookPiece) pieces.set(variant.castling?.rookTo[side] + rank, rookPiece);
}

/** @param {Variant} variant @param {string} role @param {string} suffix */
function promotedKind(variant, role, suffix) {
  if (!suffix || isGate(variant, role, suffix)) return {};
  return { role: suffix === '+' ? `+${role}` : suffix, promoted: true };
}

/**
 * Whether a suffix names a gated piece. A piece that can promote never gates, since it has moved before.
 * @param {Variant} variant @param {string} role the moving kind @param {string} suffix
 */
export const isGate = (variant, role, suffix) => variant.gates.includes(suffix) && !(role in variant.promotion);

/**
 * The first field of the FEN: pieces and pockets.
 * @param {{files: number, ranks: number}} size @param {Pick<Position, 'pieces' | 'pockets'>} position
 */
export function formatBoard(size, { pieces, pockets }) {
  const rows = [];
  for (let y = size.ranks - 1; y >= 0; y--) {
    let row = '';
    let run = 0;
    for (let x = 0; x < size.files; x++) {
      const piece = pieces.get(toSquare(x, y));
      if (!piece) run++;
      else {
        row += (run || '') + letterOf(piece.role, piece.color);
        if (isDisguised(piece)) row += '~';
        run = 0;
      }
    }
    rows.push(row + (run || ''));
  }
  const pocket = (/** @type {Color} */ color) =>
    [...pockets[color]].map(([role, count]) => letterOf(role, color).repeat(Math.max(0, count))).join('');
  return `${rows.join('/')}[${pocket('white')}${pocket('black')}]`;
}

/** Is it demoted when captured, though its role does not say so? @param {Piece} piece */
export const isDisguised = ({ role, promoted }) => promoted && !role.startsWith('+');

/** @param {Variant} variant @param {Position} position @param {string} square @returns {string} "e2, white pawn" */
export function squareWords(variant, { pieces }, square) {
  const piece = pieces.get(square);
  const words = piece
    ? t('board.on_square', { square, piece: pieceWords(variant, piece) })
    : t('board.empty', { square });
  return variant.goals?.includes(square) ? t('board.goal', { words }) : words;
}

/**
 * How many checks that side has given, '' where they are not counted.
 * @param {Pick<Variant, 'checks'>} variant @param {Position} position @param {Color} side @returns {string} "White has given 1 of 3 checks."
 */
export function checksWords({ checks: most = 0 }, { toCheck }, side) {
  if (!toCheck || !most) return '';
  const said = { n: most - toCheck[side], most };
  return side === 'white' ? t('board.white_checks', said) : t('board.black_checks', said);
}

/** @param {string} role @param {Color} color */
const letterOf = (role, color) => (color === 'white' ? role.toUpperCase() : role);
