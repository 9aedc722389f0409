/**
 * The analysis page: holds the study, passes it to the parts that show it, and changes it as the person asks. What is legal
 * comes from the server, with one short question for each new position.
 *
 * @import { Study } from '../analysis/study.js'
 * @import { Variant } from '../board/variant.js'
 * @typedef {import('../analysis/study_place.js').Facts & {variant: Variant & {legal: string[]}}} PageFacts
 */
import { EditedStudy } from '../analysis/edited_study.js';
import { withoutMove, withPromoted } from '../analysis/history.js';
import { Incoming } from '../analysis/brought/incoming.js';
import { addressSource, gameSource, notesSource, positionSource } from '../analysis/brought/sources.js';
import { Loading } from '../analysis/brought/loading.js';
import { listenToForms, showPosition } from '../analysis/forms.js';
import { Judge } from '../game/judge.js';
import { AnnotationForm } from '../analysis/annotations/annotation_form.js';
import { Announcer } from '../analysis/announcer.js';
import { AnalysisBoard } from '../analysis/analysis_board.js';
import { placesOf } from '../analysis/study_place.js';
import { enableButtons, listenToControls } from '../analysis/controls.js';
import { fromPgn, newStudy, toFragment, toPgn } from '../analysis/study.js';
import { Insight } from '../analysis/insight.js';
import { walking } from '../analysis/controls.js';
import { asksForReport } from '../analysis/report_link.js';
import { TreeView } from '../analysis/tree_view.js';
import { byId, pageFacts, setText } from '../ui/dom.js';
import { followFragmentForSignIn } from '../ui/fragment.js';
import { ShareDialog } from '../ui/share.js';
import { resultWords } from '../round/words.js';
import { Tabs } from '../ui/tabs.js';
import { TypedMoves } from '../ui/board/typed_moves.js';
import { t } from '../words.js';
import { nodeAt } from '../game/tree.js';
import { tabStorage } from '../storage.js';

// Takes a game from the board of one variant to that of another, since an address has no room for comments on moves.
// The next analysis page in the same tab receives it, once. Without storage, nothing is taken along.

const KEY = 'analysis-pgn';

/** @param {string} pgn @returns {boolean} whether it was stored */
const sendGame = pgn => tabStorage.set(KEY, pgn);

/** @returns {string | null} null: nothing was sent */
function receiveGame() {
  const pgn = tabStorage.get(KEY);
  tabStorage.set(KEY, null);
  return pgn;
}

// Offers a study to be passed on: as a link, as the position shown, as PGN.

/**
 * @param {ShareDialog} dialog @param {Study} study @param {{variant: Variant, pgnTags: [string, string], study: import('../analysis/chapter_keeper.js').StudyFacts | null}} facts   pgnTags: as `toPgn`
 * @returns {boolean} false: the link has no variations, because there are too many
 */
function shareStudy(dialog, study, { variant, pgnTags, study: kept }) {
  const { fragment, whole } = toFragment(study, variant.startFen);
  void dialog.open({
    link: kept?.shared ? location.href : `${location.origin}/analysis/${variant.id}${fragment && `#${fragment}`}`,
    fen: nodeAt(study.tree, study.at).fen,
    pgn: Promise.resolve(toPgn(study, variant, pgnTags)),
  });
  return whole;
}

class AnalysisPage {
  #facts;
  #judge;
  #edited;
  /** @type {Promise<void>} resolves when the last move has been answered */
  #answered = Promise.resolve();
  #incoming = new Incoming(
    study => this.#replace(study),
    words => this.#refuse(words),
  );
  #places;
  #problem = '';
  /** A FEN stays in its field while it is judged and, if it is refused, until the board changes or is to be replaced. */
  #keepsField = false;
  #announcer;
  #share = new ShareDialog();
  #tabs = new Tabs(byId('tabs'), () => this.#render());
  #annotations = new AnnotationForm(
    () => this.#study,
    changed => this.#edited.edit(changed, t('annotations.said')),
  );
  #view = new TreeView(byId('tree'), id => this.#edited.go(id));
  #board;
  #insight;
  #loading;

  /** @param {PageFacts} facts */
  constructor(facts) {
    const { variant } = facts;
    this.#facts = facts;
    this.#judge = new Judge(variant.id);
    this.#announcer = new Announcer(variant);
    this.#judge.remember(false, variant.startFen, { legal: variant.legal, outcome: null });
    this.#edited = new EditedStudy(newStudy(variant.startFen, false), this.#judge, this.#announcer, {
      sent: () => this.#refuse(''),
      changed: () => this.#changed(),
      asked: () => this.#render(),
      refused: words => this.#refuse(words),
    });
    this.#places = placesOf(facts, this.#edited, this.#tabs);
    this.#board = new AnalysisBoard(variant, this.#announcer.say, uci => (this.#answered = this.#move(uci)));
    this.#insight = new Insight({
      variant,
      board: this.#board,
      study: () => this.#study,
      move: uci => this.#move(uci),
      go: id => this.#edited.go(id),
      tabs: this.#tabs,
      marked: () => this.#drawTree(),
    });
    this.#loading = new Loading(facts.study?.mine ? facts.study.id : null, pgn => void this.#load(pgn));
    if (new URLSearchParams(location.search).get('side') === 'black') this.#board.flip();
    this.#listen();
    this.#render();
    void this.#openAddress();
  }

  #listen() {
    listenToControls({
      ...walking(
        () => this.#study,
        id => this.#edited.go(id),
      ),
      undo: () => this.#edited.undo(),
      promote: () => this.#edited.edit(withPromoted(this.#study), t('analysis.promoted')),
      remove: () => this.#edited.edit(withoutMove(this.#study), t('analysis.deleted')),
      clear: () => this.#replace(newStudy(this.#facts.variant.startFen, false)),
      flip: () => {
        this.#board.flip();
        this.#render();
      },
      share: () => this.#openShare(),
      lastMove: () => this.#announcer.shown(this.#edited.node),
      type: () => this.#tabs.goTo('tab-moves', 'move-text'),
      comment: () => this.#annotations.open(this.#tabs),
    });
    new TypedMoves({
      variant: this.#facts.variant,
      ready: async () => {
        do {
          await this.#incoming.arrived;
          await this.#answered;
          await this.#edited.asked;
        } while (this.#incoming.expected);
      },
      legal: () => this.#edited.verdict?.legal ?? [],
      position: () => this.#board.position,
      play: uci => this.#board.play(uci),
    });
    listenToForms({
      variant: this.#facts.variant,
      set: async (fen, shuffled) =>
        (await this.#attempt(positionSource(this.#judge, fen, shuffled), true)) ? '' : this.#problem,
      position: () => ({ variant: this.#facts.variant.id, fen: this.#edited.node.fen, chess960: this.#study.chess960 }),
    });
    if (!this.#places.keeper) addEventListener('hashchange', () => void this.#openAddress());
  }

  get #study() {
    return this.#edited.study;
  }

  async #openAddress() {
    const { keeper, address } = this.#places;
    const pgn = keeper ? null : receiveGame();
    if (pgn) return this.#load(pgn);
    const found = keeper?.source ?? notesSource(this.#judge, location) ?? addressSource(this.#judge, location);
    if (!found) return;
    const report = asksForReport(location.hash);
    if (!(await this.#attempt(found))) return;
    address.named(this.#study);
    this.#places.listen();
    if (report) void this.#insight.report(report);
  }

  /** Opens a game, on the board of its own variant. @param {string} pgn */
  async #load(pgn) {
    const reading = this.#judge.game(pgn);
    const here = this.#facts.variant.id;
    const study = async () => {
      const read = await reading;
      return read.variant === here ? fromPgn(read) : this.#study;
    };
    if (!(await this.#attempt(gameSource(study)))) {
      const games = await reading.then(
        () => 1,
        error => error.answer?.games ?? 1,
      );
      return this.#loading.offer(games);
    }
    const { variant, white, black, whole, mended } = await reading;
    if (variant !== here) {
      const path = `/analysis/${variant}`;
      return location.assign(sendGame(pgn) ? path : `${path}#${toFragment(fromPgn(await reading), '').fragment}`);
    }
    this.#announcer.say(t('analysis.loaded', { white, black }));
    const told = [whole ? '' : t('analysis.main_line_only'), this.#loading.mended(mended)];
    if (told.some(Boolean)) this.#refuse(told.filter(Boolean).join(' '));
  }

  /**
   * Puts something else on the board, or says why not. Until then nothing can be moved there: the move would be lost.
   * @param {import('../analysis/brought/sources.js').Source} source @param {boolean} [fromField] it is the FEN in its field
   * @returns {Promise<boolean>} as `Incoming.bring`
   */
  #attempt(source, fromField = false) {
    this.#problem = '';
    this.#keepsField = fromField;
    const arrived = this.#incoming.bring(source);
    this.#render();
    return arrived;
  }

  /** @param {Study} study */
  #replace(study) {
    this.#problem = byId('move-problem').textContent = '';
    this.#incoming.forget();
    this.#edited.replace(study);
    // Whoever has gone elsewhere meanwhile, as on a page that still loads, stays there.
    if (this.#tabs.chosen === 'tab-set-up') this.#tabs.choose('tab-moves');
  }

  /** @param {string} words */
  #refuse(words) {
    this.#problem = words;
    this.#render();
  }

  /** @param {string} uci */
  async #move(uci) {
    if (this.#incoming.expected) return this.#render();
    return this.#edited.move(uci);
  }

  #openShare() {
    if (!shareStudy(this.#share, this.#study, this.#facts)) this.#refuse(t('analysis.shortened'));
  }

  /** Shows another position or tree, asks what is legal there, and updates the address. */
  #changed() {
    if (!this.#incoming.expected) this.#keepsField = false;
    this.#render();
    this.#edited.ask();
    this.#places.address.follow(() => this.#study);
  }

  #render() {
    const { tree, at, chess960, players } = this.#study;
    const { node, sent, verdict, history } = this.#edited;
    const { legal = null, outcome = null } = verdict ?? {};
    this.#board.show({ ...node, legal, sent, held: this.#incoming.expected, players });
    this.#drawTree();
    this.#annotations.render();
    enableButtons(tree, at, history);
    setText(byId('result'), outcome ? resultWords(outcome) : '');
    setText(byId('status'), this.#problem);
    this.#insight.render();
    void this.#places.openPanel();
    if (!this.#keepsField) showPosition({ fen: node.fen, chess960 });
  }

  #drawTree() {
    const { tree, at, info } = this.#study;
    this.#view.render(tree, at, info, this.#insight.marks);
  }
}

followFragmentForSignIn();
new AnalysisPage(pageFacts());
