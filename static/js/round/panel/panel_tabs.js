/**
 * Which tab of the panel is in sight: the rules while nothing has been played, the moves from the first one on, and always
 * what the person has chosen.
 *
 * @import { GameState } from '../../game/model.js'
 */
import { byId } from '../../ui/dom.js';
import { Tabs } from '../../ui/tabs.js';

export class PanelTabs {
  #tabs = new Tabs(byId('tabs'), () => {
    this.#asked = true;
  });
  /** Whether the person has chosen by themselves. */
  #asked = false;

  /** @param {GameState} state */
  render({ plies, ended }) {
    if (this.#asked || ended || plies.length > 1) return;
    this.#tabs.choose(plies.length ? 'tab-moves' : 'tab-rules');
    this.#asked = false;
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
