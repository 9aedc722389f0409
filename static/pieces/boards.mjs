/**
 * The colours of the squares: one rule for each board of server/pictures/boards.json, which the server draws its pictures
 * with, too. The first is the default. An element may wear another board than the page, to show it for choice. Knows no
 * marks: those are the same on every board (static/css/game/marks.css).
 */
import boards from '../../server/pictures/boards.json' with { type: 'json' };

/** @returns {string} */
export default function boardsCss() {
  return Object.entries(boards)
    .map(([name, { light, dark, pocket }], index) => {
      const colors = `--square-light:${light};--square-dark:${dark};--pocket-color:${pocket}`;
      return `${index ? '' : ':root,'}[data-board="${name}"]{${colors}}`;
    })
    .join('\n');
}
