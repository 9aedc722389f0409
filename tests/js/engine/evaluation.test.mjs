/** What a position is worth as it stands: kings beside whom the enemy can put a piece, and what exchanges bring. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFen } from '../../../static/js/engine/rules/notation/fen.js';
import { compile } from '../../../static/js/engine/rules/tables.js';
import { Evaluation } from '../../../static/js/engine/search/evaluation.js';
import { Thinker } from '../../../static/js/engine/thinking.js';
import { all } from './variants.mjs';

/** Nodes that a slow core looks at in a second on such a board. */
const A_SECOND = 30_000;
const never = () => false;
const crazyhouse = all.get('crazyhouse');

/** For White, who is to move. */
const worth = (variant, fen) => {
  const tables = compile(variant);
  return new Evaluation(tables).of(parseFen(tables, fen));
};

/** The same rules, but that nothing can be dropped beyond the first ranks. */
const droppingOnly = ranks => ({
  ...crazyhouse,
  drops: Object.fromEntries(Object.keys(crazyhouse.drops).map(role => [role, { ranks }])),
});

const attacked = pocket => `6k1/5ppp/8/8/2b5/7b/5P1P/6K1[${pocket}] w - - 0 1`;

test('a king is worse off by each square beside it that an enemy covers and can drop on, the more they hold', () => {
  const loss = pocket => worth(droppingOnly([1, 2, 3, 4]), attacked(pocket)) - worth(crazyhouse, attacked(pocket));
  assert.equal(loss(''), 0);
  assert.ok(loss('n') > 20, `${loss('n')}`);
  assert.ok(loss('qrr') > loss('n') + 50, `${loss('qrr')}`);
});

test('what a side holds that can only enter on its own ranks endangers no king there', () => {
  const placement = all.get('placement');
  const tables = compile(placement);
  const [white, black] = new Evaluation(tables).enters;
  const [first, last] = [tables.firstRank[0], tables.firstRank[1]];
  assert.deepEqual([white[first], white[last], black[first], black[last]], [1, 0, 0, 1]);
});

test('a king near a goal that wins is worth the more, the nearer it is and the less of the goal is guarded', () => {
  const hill = all.get('kingofthehill');
  const gain = fen => worth(hill, fen) - worth(all.get('chess'), fen);
  const near = '7k/8/8/8/8/3K4/8/8 w - - 0 1';
  const guarded = '1b4bk/8/8/8/8/3K4/8/8 w - - 0 1';
  const far = '7k/8/8/8/8/8/8/3K4 w - - 0 1';
  assert.ok(gain(near) > gain(guarded) + 30 && gain(guarded) > gain(far) - 30, `${[near, guarded, far].map(gain)}`);
  assert.ok(gain(near) > gain(far) + 50, `${gain(near)}`);
});

test('checks that were given are worth the more, the fewer are left', () => {
  const counted = left => worth(all.get('3check'), `4k3/8/8/8/8/8/8/R3K3 w - - ${left} 0 1`);
  const [none, one, two] = [counted('3+3'), counted('2+3'), counted('1+3')];
  assert.ok(one > none + 30 && two - one > one - none + 50, `${[none, one, two]}`);
  assert.equal(counted('2+2'), none);
});

test('a capture that gives more than it takes is not played out', () => {
  const tables = compile(all.get('chess'));
  const nodes = fen => {
    const thinker = new Thinker(tables, () => 0);
    return [...thinker.think(parseFen(tables, fen), { depth: 1 }, never)].at(-1).nodes;
  };
  // Either queen could take pawns that a pawn defends, after each of the other side's 25 moves.
  assert.ok(nodes('r5k1/pp3ppp/2p2n2/3q4/3P4/2P1P3/PP1Q1PPP/R5K1 w - - 0 1') < 60);
});

test('depth 4 on a board of ten by ten with full hands takes no more nodes than a slow core looks at in two seconds', () => {
  const tables = compile(all.get('grandhouse'));
  for (const fen of [
    'r8r/1nbqkcabn1/pppppppppp/10/10/10/10/PPPPPPPPPP/1NBQKCABN1/R8R[QRBNACPqrbnacp] w - - 0 1',
    '1r4r3/2nbk1ab2/pp1p2pp1p/4p1n3/2p2c4/3PP1N3/2P2PB3/PP3C1PPP/1NBK2A3/R6R2[QRNBPPqrnbpp] w - - 0 20',
  ]) {
    const thinker = new Thinker(tables, () => 0);
    const { nodes } = [...thinker.think(parseFen(tables, fen), { depth: 4, nodes: 2 * A_SECOND }, never)].at(-1);
    assert.ok(nodes < 2 * A_SECOND, `${nodes}`);
  }
});
