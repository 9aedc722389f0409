/** Descriptions of variants as server/rules/variant/rule_data.py gives them, cut down to what the tests look at. */
const signs = ([x, y]) => [
  [x, y],
  [x, -y],
  [-x, y],
  [-x, -y],
  [y, x],
  [y, -x],
  [-y, x],
  [-y, -x],
];
const unique = steps => [...new Map(steps.map(step => [String(step), step])).values()];
const leaper = (...steps) => ({ steps: unique(steps.flatMap(signs)), max: 1, mode: 'both' });
const rider = (...steps) => ({ ...leaper(...steps), max: 0 });
const role = (name, san, ...moves) => ({ name, san, royal: false, pawn: false, moves });
const king = (...more) => ({ ...role('king', 'K', leaper([1, 0], [1, 1]), ...more), royal: true });
const pawn = (...more) => ({
  ...role(
    'pawn',
    'P',
    { steps: [[0, 1]], max: 1, mode: 'move' },
    {
      steps: [
        [-1, 1],
        [1, 1],
      ],
      max: 1,
      mode: 'capture',
    },
    ...more,
  ),
  pawn: true,
});
const doubleStep = { steps: [[0, 1]], max: 2, mode: 'move', ranks: [2] };
const upTo = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

export const chess = {
  id: 'chess',
  name: 'Chess',
  files: 8,
  ranks: 8,
  startFen: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
  pocket: 'none',
  pocketRoles: [],
  promoted: false,
  gates: [],
  drops: null,
  roles: {
    p: pawn(doubleStep),
    n: role('knight', 'N', leaper([1, 2])),
    b: role('bishop', 'B', rider([1, 1])),
    r: role('rook', 'R', rider([1, 0])),
    q: role('queen', 'Q', rider([1, 0], [1, 1])),
    k: king(),
  },
  promotion: { p: { ranks: [8], forced: [8], to: ['q', 'r', 'b', 'n'], when: 'into', byFile: null } },
  castling: { kingTo: ['g', 'c'], rookTo: ['f', 'd'], kingFrom: 'e', king: 'k', rook: 'r' },
};

export const crazyhouse = {
  ...chess,
  id: 'crazyhouse',
  name: 'Crazyhouse',
  pocket: 'captures',
  pocketRoles: ['q', 'r', 'b', 'n', 'p'],
  startFen: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1',
  drops: { p: { ranks: upTo(2, 7) }, n: { ranks: upTo(1, 8) }, q: { ranks: upTo(1, 8) } },
};

export const seirawan = {
  ...chess,
  id: 'seirawan',
  name: 'S-Chess',
  pocket: 'gating',
  pocketRoles: ['h', 'e'],
  gates: ['h', 'e'],
  startFen: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[HEhe] w KQBCDFGkqbcdfg - 0 1',
  roles: {
    ...chess.roles,
    h: role('hawk', 'H', rider([1, 1]), leaper([1, 2])),
    e: role('elephant', 'E', rider([1, 0]), leaper([1, 2])),
  },
};

export const shogun = {
  ...crazyhouse,
  id: 'shogun',
  name: 'Shogun',
  promoted: true,
  pocketRoles: ['f', 'r', 'b', 'n', 'p'],
  startFen: 'rnb+fkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB+FKBNR[] w KQkq - 0 1',
  roles: {
    ...chess.roles,
    f: role('duchess', 'F', leaper([1, 1])),
    '+f': role('queen', 'Q', rider([1, 0], [1, 1])),
    '+p': role('captain', 'C', leaper([1, 0], [1, 1])),
    '+n': role('general', 'G', leaper([1, 2], [1, 0], [1, 1])),
  },
  promotion: {
    p: { ranks: [6, 7, 8], forced: [8], to: ['+p'], when: 'touch', byFile: null },
    n: { ranks: [6, 7, 8], forced: [], to: ['+n'], when: 'touch', byFile: null },
  },
};

/** Bent riders: the first step, then outward. */
const bent = (steps, thens) => steps.map((step, i) => ({ steps: [step], max: 1, mode: 'both', then: thens[i] }));
const diagonals = [
  [1, 1],
  [1, -1],
  [-1, 1],
  [-1, -1],
];
const files = [...'rlugcaacgulr'];

export const acedrex = {
  ...chess,
  id: 'acedrex',
  name: 'Grant Acedrex',
  files: 12,
  ranks: 12,
  castling: null,
  startFen: 'rlugcakcgulr/12/12/pppppppppppp/12/12/12/12/PPPPPPPPPPPP/12/12/RLUGCAKCGULR w Jj - 0 1',
  roles: {
    p: pawn(),
    r: role('rook', 'R', rider([1, 0])),
    c: role('crocodile', 'C', rider([1, 1])),
    l: role('lion', 'L', leaper([3, 0], [3, 1])),
    g: role('giraffe', 'G', leaper([3, 2])),
    u: role(
      'unicornio',
      'U',
      ...bent(
        signs([1, 2]),
        signs([1, 2]).map(([x, y]) => [[Math.sign(x), Math.sign(y)]]),
      ),
    ),
    a: role(
      'aanca',
      'A',
      ...bent(
        diagonals,
        diagonals.map(([x, y]) => [
          [x, 0],
          [0, y],
        ]),
      ),
    ),
    k: king({ ...leaper([2, 0], [2, 2]), unmoved: true }),
  },
  promotion: { p: { ranks: [12], forced: [12], to: ['r', 'l', 'u', 'g', 'c', 'a'], when: 'into', byFile: files } },
};

export const grand = {
  ...chess,
  id: 'grand',
  name: 'Grand Chess',
  files: 10,
  ranks: 10,
  castling: null,
  startFen: 'r8r/1nbqkcabn1/pppppppppp/10/10/10/10/PPPPPPPPPP/1NBQKCABN1/R8R w - - 0 1',
  roles: { ...chess.roles, a: role('archbishop', 'A', rider([1, 1]), leaper([1, 2])) },
  promotion: { p: { ranks: [8, 9, 10], forced: [10], to: ['q', 'a'], when: 'into', byFile: null } },
};
