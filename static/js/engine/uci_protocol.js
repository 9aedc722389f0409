/**
 * What a program says in UCI, as tasks of a session; and what the session answers, in UCI. Text in, text out.
 *
 * @import { VariantRules } from './rules/variant_rules.js'
 * @import { Answer, Task } from './session.js'
 * @import { Thought } from './thinking.js'
 */
import { HIGHEST } from './levels.js';

const FIRST = 'chess';
/** Moves for which the time on the clock is thought to be, if nothing is said. */
const MOVES_TO_GO = 25;
/** ms that it takes to be heard. */
const OVERHEAD = 15;
const MOST_LINES = 5;
/** What begins another limit in "go". */
const GO_WORDS = 'ponder wtime btime winc binc movestogo depth nodes mate movetime infinite searchmoves perft'.split(
  ' ',
);
const MOST_SEED = 2 ** 31 - 1;

export class UciProtocol {
  /**
   * @param {VariantRules[]} variants at least one @param {(task: Task) => void} give the session's ear
   * @param {(line: string) => void} say @param {() => number} [chance] from 0 to below 1
   */
  constructor(variants, give, say, chance = Math.random) {
    this.variants = new Map(variants.map(variant => [variant.id, variant]));
    this.give = give;
    this.say = say;
    this.variant = this.variants.has(FIRST) ? FIRST : variants[0].id;
    this.chess960 = false;
    /** 1 to 8, or 0 for as well as it can. */
    this.level = 0;
    this.lines = 1;
    /** In which way a level errs; 0: in another one in each game. */
    this.seed = 0;
    this.drawSeed = () => 1 + Math.floor(chance() * MOST_SEED);
    this.drawn = this.drawSeed();
    this.thinking = false;
    /** Does it think until it is told to stop? */
    this.endless = false;
    /** Who moves in the position: 0 White, 1 Black. */
    this.side = 0;
    /** Answers that are still to come. */
    this.awaited = 0;
    this.commands = this.everyCommand();
    this.begin();
  }

  /** The session hears of the variant, and has its first position. */
  begin() {
    this.give({ do: 'variant', variant: /** @type {VariantRules} */ (this.variants.get(this.variant)) });
    this.give({ do: 'position', moves: [], chess960: this.chess960 });
  }

  /** Whether to go on listening after this line. @param {string} line @returns {boolean} */
  take(line) {
    const [word, ...rest] = line.trim().split(/\s+/);
    const carryOut = this.commands.get(word);
    if (carryOut) carryOut(rest, line);
    else this.say(`info string "${word}" is no command of UCI`);
    return word !== 'quit';
  }

  /** Nobody will say anything any more, so nobody would end an endless search. */
  hangUp() {
    if (this.thinking && this.endless) this.give({ do: 'stop' });
  }

  /** What to do at each first word, given the others and the whole line. */
  everyCommand() {
    const ignore = () => {};
    /** @type {[string, (words: string[], line: string) => void][]} */
    const commands = [
      ['uci', () => this.introduce()],
      ['isready', () => (this.thinking ? this.say('readyok') : this.ask({ do: 'ping' }))],
      ['setoption', (_, line) => this.setOption(line)],
      ['ucinewgame', () => this.forget()],
      ['position', words => this.setPosition(words)],
      ['go', words => this.go(words)],
      ['perft', ([depth]) => this.ask({ do: 'perft', depth: Number(depth) || 1 })],
      ['d', () => this.ask({ do: 'show' })],
      ['stop', () => this.give({ do: 'stop' })],
      ['quit', () => this.give({ do: 'stop' })],
      ['', ignore],
      ['debug', ignore],
      ['ponderhit', ignore],
    ];
    return new Map(commands);
  }

  /** @param {Task} task that is answered */
  ask(task) {
    this.awaited++;
    this.give(task);
  }

  forget() {
    this.drawn = this.drawSeed();
    this.give({ do: 'forget' });
  }

  introduce() {
    const ids = [...this.variants.keys()];
    this.say('id name Fairyhouse');
    this.say('id author the authors of Fairyhouse');
    this.say(`option name UCI_Variant type combo default ${this.variant} ${ids.map(id => `var ${id}`).join(' ')}`);
    this.say('option name UCI_Chess960 type check default false');
    this.say(`option name Level type spin default 0 min 0 max ${HIGHEST}`);
    this.say(`option name MultiPV type spin default 1 min 1 max ${MOST_LINES}`);
    this.say(`option name Seed type spin default 0 min 0 max ${MOST_SEED}`);
    this.say('uciok');
  }

  /** @param {string} line */
  setOption(line) {
    const said = /^\s*setoption\s+name\s+(.+?)(?:\s+value\s+(.*?))?\s*$/.exec(line);
    const [name, value] = [said?.[1].toLowerCase(), said?.[2] ?? ''];
    const number = /^\d+$/.test(value) ? Number(value) : NaN;
    if (name === 'uci_chess960') this.chess960 = value === 'true';
    else if (name === 'level' && number <= HIGHEST) this.level = number;
    else if (name === 'multipv' && number >= 1 && number <= MOST_LINES) this.lines = number;
    else if (name === 'seed' && number <= MOST_SEED) this.seed = number;
    else if (name === 'uci_variant' && this.variants.has(value)) {
      if (value === this.variant) return;
      this.variant = value;
      this.begin();
    } else this.say(`info string there is no option "${said?.[1] ?? ''}" with the value "${value}"; see "uci"`);
  }

  /** @param {string[]} words */
  setPosition(words) {
    const at = words.indexOf('moves');
    const moves = at < 0 ? [] : words.slice(at + 1);
    const place = at < 0 ? words : words.slice(0, at);
    const fen = place[0] === 'fen' ? place.slice(1).join(' ') : undefined;
    if (place[0] !== 'fen' && place[0] !== 'startpos') {
      this.say('info string say "position startpos" or "position fen FEN", then "moves" and moves');
      return;
    }
    const first = fen ?? this.variants.get(this.variant)?.startFen ?? '';
    this.side = ((first.split(' ')[1] === 'b' ? 1 : 0) + moves.length) % 2;
    this.give({ do: 'position', fen, moves, chess960: this.chess960 });
  }

  /** @param {string[]} words */
  go(words) {
    if (this.thinking) {
      this.say('info string it is thinking already; say "stop" first');
      return;
    }
    const said = (/** @type {string} */ name) => {
      const value = Number(words[words.indexOf(name) + 1]);
      return words.includes(name) && Number.isFinite(value) ? value : undefined;
    };
    if (words.includes('perft')) {
      this.ask({ do: 'perft', depth: said('perft') ?? 1 });
      return;
    }
    const limits = {
      depth: atLeastOne(said('depth')),
      nodes: atLeastOne(said('nodes')),
      mate: atLeastOne(said('mate')),
      time: timeFor(said, this.side),
    };
    const without = !this.level && Object.values(limits).every(value => value === undefined);
    const moves = movesAfter(words);
    const infinite = words.includes('infinite') || without;
    this.thinking = true;
    this.endless = infinite;
    const { level, lines, seed, drawn } = this;
    this.ask({ do: 'go', limits: { ...limits, moves, level, lines, seed: seed || drawn, infinite } });
  }

  /** Says what the session answers. @param {Answer} answer */
  hear(answer) {
    switch (answer.said) {
      case 'thought':
        this.say(infoLine(answer.thought));
        return;
      case 'best':
        this.thinking = false;
        this.say(`bestmove ${answer.move ?? '(none)'}`);
        break;
      case 'leaves':
        for (const [uci, leaves] of answer.counts) this.say(`${uci}: ${leaves}`);
        this.say(`\nNodes searched: ${answer.counts.reduce((sum, [, leaves]) => sum + leaves, 0)}`);
        break;
      case 'position':
        this.say(`Fen: ${answer.fen}`);
        break;
      case 'refused':
        this.say(`info string ${answer.reason}`);
        if (answer.to === 'position' || answer.to === 'variant') return;
        break;
      case 'pong':
        this.say('readyok');
    }
    this.awaited--;
  }
}

/** The moves after "searchmoves", which may be followed by other limits. @param {string[]} words */
function movesAfter(words) {
  const at = words.indexOf('searchmoves');
  if (at < 0) return undefined;
  const rest = words.slice(at + 1);
  const end = rest.findIndex(word => GO_WORDS.includes(word));
  return end < 0 ? rest : rest.slice(0, end);
}

/** A limit with which a move is found: with "depth 0" there would be none. @param {number | undefined} limit */
function atLeastOne(limit) {
  return limit === undefined ? undefined : Math.max(1, limit);
}

/** @param {Thought} thought */
function infoLine({ depth, deepest, rank, score, mate, nodes, time, line }) {
  const said = mate === null ? `cp ${score}` : `mate ${mate}`;
  const nps = Math.round((1000 * nodes) / Math.max(time, 1));
  const shown = `score ${said} nodes ${nodes} nps ${nps} time ${Math.round(time)} pv ${line.join(' ')}`;
  return `info depth ${depth} seldepth ${Math.max(depth, deepest)} multipv ${rank} ${shown}`;
}

/** How long to think, in ms; undefined for as long as nothing else ends it.
 * @param {(name: string) => number | undefined} said @param {number} side */
function timeFor(said, side) {
  const exactly = said('movetime');
  if (exactly !== undefined) return Math.max(1, exactly - OVERHEAD);
  const clock = said(side ? 'btime' : 'wtime');
  if (clock === undefined) return undefined;
  const increment = said(side ? 'binc' : 'winc') ?? 0;
  const share = clock / Math.min(said('movestogo') ?? MOVES_TO_GO, MOVES_TO_GO) + 0.75 * increment;
  return Math.max(1, Math.min(share, clock / 2) - OVERHEAD);
}
