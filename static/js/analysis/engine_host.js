/**
 * The analysis board as the engine needs it: what is shown there, arrows, and moves that are made from its lines.
 *
 * @import { Host } from '../explain/explainer.js'
 * @import { Page } from './insight.js'
 */
import { nodeAt, repeatablePath } from '../game/tree.js';

/** @param {Page} page @returns {Host} */
export const engineHost = ({ variant, board, study, move }) => ({
  variant,
  shown: () => {
    const { tree, at, chess960 } = study();
    const { fen, steps } = repeatablePath(tree, at);
    return { start: fen, moves: steps, chess960, fen: nodeAt(tree, at).fen };
  },
  bottom: () => board.bottom,
  mark: marks => board.mark(marks),
  play: async ucis => {
    for (const uci of ucis) {
      const { at } = study();
      await move(uci);
      if (study().at === at) return;
    }
  },
});
