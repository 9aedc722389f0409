/**
 * Which tab of the panel is in sight: the rules of a variant that was not played in this browser before, while nothing has
 * been played and time is not short, else the moves, and always what the person has chosen. Where there is no room for both, a link to give comes
 * before the rules.
 *
 * On a phone the chat and the rules are sheets over half of it (game/sheets.css): the chat stands above the keyboard of the
 * screen, and a button or Escape puts each of them away.
 *
 * @import { GameState } from '../../game/model.js'
 */
import { isBullet } from '../../game/terms.js';
import { siteStorage } from '../../storage.js';
import { byId } from '../../ui/dom.js';
import { Tabs } from '../../ui/tabs.js';

const PLAYED = 'variants-played';
/** Here the link to give lies over the empty list (game/game_panel.css). */
const CRAMPED = matchMedia('(orientation: portrait), (max-height: 700px)');

export class PanelTabs {
  #tabs = new Tabs(byId('tabs'), () => {
    this.#asked = true;
    if (this.#tabs.chosen !== 'tab-chat') this.#before = this.#tabs.chosen;
    if (this.#tabs.chosen !== 'tab-rules') this.#rules.classList.remove('as-sheet');
  });
  /** What was in sight before the chat. */
  #before = this.#tabs.chosen;
  /** Whether the person has chosen by themselves. */
  #asked = false;

  #invite = byId('invite');
  #rules = byId('rules');
  #variant = byId('round').dataset.variant ?? '';
  #played = playedBefore();

  constructor() {
    // On a phone what somebody asks for may lie over half the board; what stands there by itself must not.
    byId('tab-rules').addEventListener('click', () => this.#rules.classList.add('as-sheet'));
    for (const sheet of /** @type {const} */ (['chat', 'rules'])) {
      const close = byId(`${sheet}-close`);
      close.addEventListener('click', () => this.#putAway(sheet));
      byId(sheet).addEventListener('keydown', event => {
        // Where it has its own place, there is nothing to put away.
        if (event.key === 'Escape' && !event.isComposing && close.checkVisibility()) this.#putAway(sheet);
      });
    }
    followKeyboard();
  }

  /** @param {GameState} state */
  render(state) {
    const { you, plies, ended } = state;
    const knows = this.#played.includes(this.#variant);
    if (you && plies.length > 1 && !knows) {
      this.#played = [...this.#played, this.#variant];
      siteStorage.set(PLAYED, JSON.stringify(this.#played));
    }
    if (this.#asked || ended || plies.length > 1) return;
    const hurries = you !== null && isBullet(state);
    const cramped = CRAMPED.matches && !this.#invite.hidden;
    this.#tabs.choose(plies.length || knows || hurries || cramped ? 'tab-moves' : 'tab-rules');
    this.#asked = false;
  }

  /** What was in sight before is to be seen again. @param {'chat' | 'rules'} sheet */
  #putAway(sheet) {
    this.#tabs.choose(sheet === 'chat' ? this.#before : 'tab-moves');
    byId(`tab-${sheet}`).focus();
  }

  /** Brings them into sight, whatever was chosen. @param {'moves' | 'chat' | 'rules'} what */
  show(what) {
    this.#tabs.choose(`tab-${what}`);
    this.#asked = true;
  }

  /** The same, and goes to a field in it. @param {'moves' | 'chat'} what @param {string} field its id */
  goTo(what, field) {
    this.#tabs.goTo(`tab-${what}`, field);
    this.#asked = true;
  }
}

/** @returns {string[]} ids of variants */
function playedBefore() {
  const kept = siteStorage.json(PLAYED);
  return Array.isArray(kept) ? kept : [];
}

/** Tells the style how much of the window can be seen above the keyboard of the screen, and how high that is. */
function followKeyboard() {
  const seen = window.visualViewport;
  if (!seen) return;
  const follow = () => {
    const { style } = document.documentElement;
    style.setProperty('--seen', `${seen.height}px`);
    style.setProperty('--keyboard', `${Math.max(0, innerHeight - seen.height - seen.offsetTop)}px`);
  };
  // Zoomed in by two fingers, less is seen as well, and no keyboard is there.
  const resized = () => seen.scale === 1 && follow();
  for (const kind of ['resize', 'scroll']) seen.addEventListener(kind, resized);
}
