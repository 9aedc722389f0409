/**
 * The page of one game: passes what is known of it to its parts, and what the person does to the server. Decides nothing.
 *
 * @import { Color, Variant } from '../board/variant.js'
 * @import { ComputerFacts } from '../computer/seat.js'
 * @import { GameState } from '../game/model.js'
 * @import { GameOutbound, Snapshot } from '../net/wire.js'
 * @typedef {{game: string, variant: Variant, chess960: boolean, snapshot: Snapshot, me: {id: string, name: string} | null, computer?: ComputerFacts} & import('../offline/sitting.js').OfflineParts} PageFacts
 */
import './notifications.js'; // on other pages a file of its own, which has the sockets and sounds once more
import { parseFen } from '../board/position.js';
import { opposite } from '../board/variant.js';
import { TICK_MS, isLate } from '../game/clock.js';
import { fromSnapshot, holdClocks, isMyTurn, withFens, withSentMove } from '../game/model.js';
import { fenAt } from '../game/navigation.js';
import { isGap, reduce } from '../game/reduce.js';
import { clocksAt } from '../game/replay.js';
import { GameSocket } from '../net/game_socket.js';
import { openWithPage } from '../net/page_socket.js';
import { sitAt } from '../offline/sitting.js';
import { Announcer } from '../round/announcer.js';
import { Conversation } from '../round/chat/conversation.js';
import { ComputerSeat } from '../computer/seat.js';
import { ConditionalMoves } from '../round/conditional/conditional_moves.js';
import { Controls } from '../round/controls.js';
import { EarlierPositions } from '../round/earlier_positions.js';
import { Invitation } from '../round/invitation/invitation.js';
import { guardLeaving, PageHead } from '../round/page_head.js';
import { Material } from '../round/panel/material.js';
import { Notices } from '../round/panel/notices.js';
import { OwnMoves } from '../round/own_moves.js';
import { buttonById, byId, element, loadStyle, pageFacts } from '../ui/dom.js';
import { pageBoard } from '../ui/board/page_board.js';
import { Panel } from '../round/panel/panel.js';
import { Replay } from '../round/replay.js';
import { Seats } from '../round/seats.js';
import { Sounds } from '../ui/audio/sound.js';
import { speaker } from '../ui/audio/speech.js';
import { renderTextBoard } from '../ui/board/text_board.js';
import { TimeToBegin } from '../round/time_to_begin.js';
import { connectionWords, isBroken } from '../round/words.js';
import { followZen, offerFullScreen } from '../round/zen.js';
import { TypedMoves } from '../ui/board/typed_moves.js';
import { keepFragmentForSignIn } from '../ui/fragment.js';
import { t } from '../words.js';
import { onKeys } from '../ui/keys.js';

// The keys of a game's page, outside the board and outside fields; `?`, or a button, opens the list of them. Knows which key does
// what, not how.

/**
 * @param {object} actions
 * @param {boolean} actions.plays whether the reader plays here: then they begin before the board, not at the head of the page
 * @param {(by: number) => void} actions.step half-moves; infinite: to the start or the end
 * @param {() => void} actions.replay @param {() => void} actions.flip
 * @param {() => void} actions.sayClocks @param {() => void} actions.sayLastMove
 * @param {import('../round/panel/panel_tabs.js').PanelTabs} actions.tabs
 */
function listenToKeys({ plays, step, replay, flip, sayClocks, sayLastMove, tabs }) {
  if (plays && document.activeElement === document.body) byId('main').focus({ preventScroll: true });
  onKeys({
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    Home: () => step(-Infinity),
    End: () => step(Infinity),
    p: replay,
    f: flip,
    c: sayClocks,
    l: sayLastMove,
    m: () => tabs.goTo('moves', 'move-text'),
    t: () => tabs.goTo('chat', 'chat-text'),
    '?': showKeys,
  });
  buttonById('keys-open').addEventListener('click', showKeys);
}

/** Over the page, until Escape; then the focus returns to where it was, or to what unfolds the menu in which it was. */
function showKeys() {
  const list = element('key-list', HTMLDialogElement);
  // It opens at once, whatever the line is like, and can be read before they are there.
  void loadStyle(list.dataset.style ?? '').catch(() => {});
  const menu = element('more', HTMLDetailsElement);
  if (menu.open && menu.contains(document.activeElement)) menu.querySelector('summary')?.focus();
  menu.open = false;
  list.showModal();
  byId('key-list-title').focus();
}

// A player whose opponent never came to a game waits for another one again. Whoever looks for opponents hears of it.

/** @param {GameState} state of a game that is over */
function lookForAnother({ ended, you, seats }) {
  if (ended?.reason !== 'expired' || !you) return;
  document.dispatchEvent(new CustomEvent('waited-in-vain', { detail: seats[you].id }));
}

/** Opens the note that the reader of a game of days keeps, on a page that has it.
 * @param {string} game @param {(text: string) => void} remark @returns {() => boolean} whether something in it is not stored */
function followNote(game, remark) {
  const button = document.getElementById('note-open');
  /** @type {ReturnType<typeof import('../round/note.js').furnishNote> | null} */
  let note = null;
  button?.addEventListener('click', async () => {
    const { script = '', failed = '' } = button.dataset;
    try {
      /** @type {typeof import('../round/note.js')} */
      const { furnishNote } = await import(script);
      note ??= furnishNote(game);
      note.open();
    } catch {
      remark(failed);
    }
  });
  return () => note?.isUnsaved() ?? false;
}

class RoundPage {
  #facts;
  /** @type {GameState} */
  #state;
  #flipped = false;
  /** Whether our move has been without an answer for long. */
  #late = false;
  #earlier = new EarlierPositions();
  #head = new PageHead();
  #sounds = new Sounds();
  #say = speaker(byId('live'));
  #begin = new TimeToBegin(this.#say, this.#sounds);
  #notices = new Notices(command => this.#send(command));
  #seats = new Seats();
  #material;
  #panel = new Panel(
    ply => this.#replay.goTo(ply),
    by => this.#replay.step(by),
    () => this.#moves.isWaiting,
  );
  #chat;
  #controls;
  #invitation;
  #moves;
  #conditional;
  #replay;
  #announcer;
  #board;
  #socket;
  #computer;

  /** @param {PageFacts} facts */
  constructor(facts) {
    this.#facts = facts;
    this.#material = new Material(facts.variant);
    this.#state = fromSnapshot(facts.snapshot, performance.now());
    this.#chat = new Conversation(facts, {
      state: () => this.#state,
      send: text => this.#send({ t: 'chat', text }),
      greetAnew: () => this.#socket.greetAnew(),
      unreadChanged: () => this.#head.render(this.#state, this.#chat.unread),
      sounds: this.#sounds,
    });
    this.#controls = new Controls({ send: command => this.#send(command), flip: () => this.#flip() });
    this.#invitation = new Invitation(
      facts.game,
      () => this.#facts.me?.id ?? null,
      () => this.#socket.greetAnew(),
      () => this.render(),
    );
    this.#replay = new Replay(
      () => this.#state,
      () => this.render(),
      { variant: facts.variant, bottom: () => this.#bottom(), mark: marks => this.#board.mark(marks) },
    );
    this.#moves = this.#makeMoves();
    this.#conditional = this.#makeConditional();
    this.#announcer = new Announcer(facts.variant, this.#say, this.#sounds);
    this.#board = this.#makeBoard();
    this.#socket = this.#makeSocket();
    const parts = { board: this.#board, replay: this.#replay, notices: this.#notices, state: () => this.#state };
    this.#computer = new ComputerSeat(facts, { ...parts, send: command => this.#socket.send(command) });
    this.#listen();
    followZen(() => this.#panel.tabs.show('moves'));
    offerFullScreen(text => this.#notices.remark(text));
    const isNoteUnsaved = followNote(facts.game, text => this.#notices.remark(text));
    const hasUnsent = () => this.#moves.isWaiting || this.#conditional.isUnsaved || isNoteUnsaved();
    guardLeaving({ state: () => this.#state, hasUnsent });
    this.render();
    openWithPage(this.#socket);
    setInterval(() => this.#tick(), TICK_MS);
  }

  get #forMoves() {
    return { variant: this.#facts.variant, state: () => this.#state, changed: () => this.render(), say: this.#say };
  }

  #makeMoves() {
    return new OwnMoves({
      ...this.#forMoves,
      invitation: this.#invitation,
      send: uci => this.#sendMove(uci),
      leave: () => this.#replay.leave(),
    });
  }

  #makeConditional() {
    return new ConditionalMoves({
      ...this.#forMoves,
      send: command => this.#send(command),
      toPresent: () => {
        this.#replay.leave();
        this.#board.cancel();
      },
      suggest: uci => this.#moves.suggest(uci),
      remark: text => this.#notices.remark(text),
    });
  }

  #makeBoard() {
    return pageBoard(this.#facts.variant, this.#say, {
      onMove: (uci, premoved) => (this.#entered ? this.#conditional : this.#moves).make(uci, premoved),
      onPremove: () => {
        if (this.#board.premove && this.#invitation.seatOffered(this.#state)) void this.#invitation.accept();
      },
      onRefusedPremove: move => this.#say(t('board.no_premove', { move })),
    });
  }

  #makeSocket() {
    if (this.#facts.local) return this.#facts.local.connect(message => this.#receive(message));
    const greeting = { known: () => this.#state, secret: () => this.#invitation.secret };
    return new GameSocket(greeting, {
      onMessage: message => this.#receive(message),
      onState: connection => {
        if (connection !== 'open') this.#chat.disconnected();
        if (connection === 'restarting') this.#state = holdClocks(this.#state, performance.now());
        this.render();
        this.#announcer.connection(this.#socket, this.#state, this.#invitation.words, performance.now());
      },
      onNotSent: () => {
        this.#chat.disconnected();
        this.#notices.remark(t('round.not_sent'));
      },
    });
  }

  #listen() {
    new TypedMoves({
      variant: this.#facts.variant,
      ready: () => this.#invitation.seated,
      legal: () => (this.#conditional.isOpen ? this.#conditional : this.#moves).legal,
      position: () => {
        this.#replay.goTo(Infinity);
        return parseFen(this.#entered?.fen ?? this.#state.fen);
      },
      play: uci => this.#board.play(uci),
    });
    listenToKeys({
      plays: this.#state.you !== null,
      step: by => (this.#entered ? this.#conditional : this.#replay).step(by),
      replay: () => this.#replay.toggle(),
      flip: () => this.#flip(),
      sayClocks: () => this.#announcer.clocks(this.#state, performance.now()),
      sayLastMove: () => this.#announcer.lastMove(this.#state),
      tabs: this.#panel.tabs,
    });
  }

  /** @param {GameOutbound} message */
  #receive(message) {
    if (isGap(this.#state, message)) return void this.#socket.greetAnew();
    const before = this.#state;
    this.#state = reduce(before, message, performance.now());
    this.#notices.happened(before, message);
    this.#conditional.happened(message);
    this.#computer.happened(message);
    this.#chat.happened(message);
    // What was planned upon moves that were taken back goes with them; else it is played, also while its player looks back.
    if (this.#state.plies.length < before.plies.length) this.#board.cancel();
    if (this.#board.premove && isMyTurn(this.#state)) this.#replay.leave();
    this.render();
    this.#announcer.happened(before, this.#state, message);
    if (message.t === 'over') lookForAnother(this.#state);
    this.#notices.leadOn(this.#state);
    if (message.t === 'rematch' && this.#state.you) location.assign(`/${message.next}`);
  }

  /** @param {string} uci */
  #sendMove(uci) {
    const id = this.#socket.send({ t: 'move', ply: this.#state.plies.length, uci });
    if (id !== null) {
      this.#replay.leave();
      this.#state = withSentMove(this.#state, id, uci, performance.now());
    }
    this.render();
  }

  /** @param {import('../net/messages.js').Command} command @returns {number | null} as GameSocket.send */
  #send(command) {
    const id = this.#socket.send(command);
    this.#notices.remark(id === null ? t('round.not_sent') : '');
    this.render();
    return id;
  }

  /** Conditional moves as the board shows them; null: it shows the game, at which one can also look back meanwhile. */
  get #entered() {
    return this.#replay.shown === this.#state.plies.length ? this.#conditional.view : null;
  }

  #flip() {
    this.#flipped = !this.#flipped;
    this.render();
  }

  /** @returns {Color} the side at the bottom */
  #bottom() {
    const own = this.#state.you ?? this.#invitation.seatOffered(this.#state) ?? 'white';
    return this.#flipped ? opposite(own) : own;
  }

  render() {
    const [state, now] = [this.#state, performance.now()];
    this.#invitation.render(state);
    if (this.#moves.letGo() && !state.ended) {
      this.#notices.remark(t('round.move_let_go'));
      this.#say(t('round.move_let_go'));
    }
    this.#conditional.render(state);
    this.#renderBoard();
    this.#computer.follow();
    const [offered, ply] = [this.#invitation.seatOffered(state), this.#replay.shown];
    byId('move-entry').hidden = !!state.ended || !(state.you ?? offered);
    this.#seats.render(clocksAt(this.#heard, ply), this.#bottom(), now, offered);
    this.#notices.render(this.#heard, this.#socket, now);
    this.#showDoubt(now);
    this.#panel.render(state, ply, now, this.#unheard);
    this.#replay.render(state);
    this.#controls.render(this.#state);
    this.#chat.render(this.#state, offered !== null);
    this.#head.render(this.#state, this.#chat.unread);
  }

  /** Whether the game may have gone on without this page. */
  get #unheard() {
    return isBroken(this.#socket.state) && !this.#state.ended;
  }

  /** The game as far as it is known: without a line, not who is there, and so not who may claim. @returns {GameState} */
  get #heard() {
    return this.#unheard ? { ...this.#state, presence: null } : this.#state;
  }

  /** Tells a move that is only sent from one that is played, and clocks that go by what was last heard. @param {number} now */
  #showDoubt(now) {
    const [state, late] = [this.#state, isLate(this.#state, now)];
    if (late && !this.#late) this.#say(connectionWords(this.#socket, state, now));
    this.#late = late;
    this.#seats.markDoubt(late || (this.#unheard && Boolean(state.clock.run)));
    byId('board').classList.toggle('unanswered', late && this.#replay.shown === state.plies.length);
  }

  #renderBoard() {
    const [ply, entered] = [this.#replay.shown, this.#entered];
    const fen = entered?.fen ?? fenAt(this.#state, ply);
    if (fen === null) return void this.#fetchPositions();
    this.#board.setOrientation(this.#bottom());
    this.#board.show(entered ?? this.#moves.viewAt(ply, fen));
    this.#material.render(this.#board.position, this.#bottom());
    renderTextBoard(byId('text-board'), this.#facts.variant, this.#board.position);
  }

  async #fetchPositions() {
    const fens = await this.#earlier.fetch(this.#state.id);
    if (fens === undefined) return;
    if (fens) this.#state = withFens(this.#state, fens);
    if (fenAt(this.#state, this.#replay.shown) === null) {
      this.#replay.leave();
      this.#notices.remark(t('round.no_earlier_moves'));
    }
    this.render();
  }

  #tick() {
    const [state, now] = [this.#state, performance.now()];
    this.#seats.tick(clocksAt(this.#heard, this.#replay.shown), this.#bottom(), now);
    this.#notices.render(this.#heard, this.#socket, now);
    this.#showDoubt(now);
    this.#panel.tick(state, this.#replay.shown, now, this.#unheard);
    this.#announcer.watchTime(state, now);
    this.#head.hurry(this.#begin.tick(state, now), state);
  }
}

sitAt(pageFacts(), facts => new RoundPage(facts));
keepFragmentForSignIn();
