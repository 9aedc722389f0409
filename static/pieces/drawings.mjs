/**
 * What every kind of piece looks like: SVG shapes on a 100 x 100 field, drawn for this project.
 * A kind is the name of a role, so that a chancellor looks the same in every variant, whatever its letter.
 * Knows no colours and no letters: those are added in css.mjs and board_style.mjs.
 */

/** A filled shape with an outline. @param {string} d */
const body = d => `<path d='${d}'/>`;
/** A filled shape upon a body, outlined by the lines' colour so that it shows on black as well. @param {string} d */
const part = d => `<path class='p' d='${d}'/>`;
/** Thin lines upon a body. @param {string} d */
const line = d => `<path class='l' d='${d}'/>`;
/** A solid mark in the colour of the lines. @param {string} d */
const mark = d => `<path class='m' d='${d}'/>`;
/** @param {number} x @param {number} y @param {number} r */
const ball = (x, y, r) => `<circle cx='${x}' cy='${y}' r='${r}'/>`;
/** @param {number} x @param {number} y @param {number} r */
const dot = (x, y, r) => `<circle class='m' cx='${x}' cy='${y}' r='${r}'/>`;
/** @param {string} place an SVG transform @param {string} shapes */
const at = (place, shapes) => `<g transform='${place}'>${shapes}</g>`;

const PLINTH = body('M21 92V88C21 83 25 80 30 80H70C75 80 79 83 79 88V92Z');
const CROSS = body('M46.5 5H53.5V11H60V18H53.5V26H46.5V18H40V11H46.5Z');

const HORSE =
  body(
    'M33 80C32 67 48 61 50 47C43 53 38 52 33 57C29 62 25 66 20 64C13 61 14 53 17 48C21 42 23 38 26 32C28 27 33 23 39 21L38 8L50 18C70 21 84 44 78 80Z',
  ) +
  line('M57 27C68 36 71 52 69 68') +
  dot(37.5, 35, 3.5) +
  dot(22.5, 54, 2.2);

/** The smaller head, without plinth, that carries a hat; it stands on the bottom line of the field. */
const RIDER =
  at('translate(9 26) scale(.8)', HORSE.replace('C32 67 48 61', 'C34 70 48 62')) +
  body('M24 95V92C24 89.5 26 88 29 88H71C74 88 76 89.5 76 92V95Z');

const petals = Array.from({ length: 10 }, (_, i) => {
  const turn = (i * Math.PI) / 5;
  return ball(Math.round(50 + 28 * Math.cos(turn)), Math.round(46 + 28 * Math.sin(turn)), 11);
}).join('');

/** @type {Record<string, string>} */
export const DRAWINGS = {
  pawn:
    body('M31 80C33 66 44 61 45 47H55C56 61 67 66 69 80Z') +
    body('M36 51C36 47 39 46 42 46H58C61 46 64 47 64 51Z') +
    ball(50, 32, 14.5) +
    PLINTH,
  knight: HORSE + PLINTH,
  bishop:
    body('M37 80C41 72 40 68 36 62H64C60 68 59 72 63 80Z') +
    body('M50 17C34 29 26 42 32 56C34 61 39 64 50 64C61 64 66 61 68 56C74 42 66 29 50 17Z') +
    ball(50, 13, 5.5) +
    line('M60 32L50 46') +
    PLINTH,
  rook:
    body('M27 80L35 69L36 44H64L65 69L73 80Z') +
    body('M25 17H37V25H44.5V17H55.5V25H63V17H75V36L66 45H34L25 36Z') +
    line('M36 68H64') +
    PLINTH,
  queen:
    body('M29 80C28 71 25 64 22 58L12 33L30 52L31 23L43 47L50 18L57 47L69 23L70 52L88 33L78 58C75 64 72 71 71 80Z') +
    ball(12, 30, 5) +
    ball(31, 20, 5) +
    ball(50, 15, 5) +
    ball(69, 20, 5) +
    ball(88, 30, 5) +
    line('M27 68C42 63 58 63 73 68') +
    PLINTH,
  king:
    CROSS +
    body('M50 50C40 40 41 27 50 25C59 27 60 40 50 50Z') +
    body('M29 80L19 60C11 44 22 32 35 34C43 35 48 41 50 50C52 41 57 35 65 34C78 32 89 44 81 60L71 80Z') +
    line('M27 69C42 64 58 64 73 69M50 51V61') +
    PLINTH,
  archbishop: RIDER + body('M47 3C29 14 22 28 28 43C40 39 54 39 66 43C72 28 65 14 47 3Z') + line('M57 17L47 31'),
  chancellor:
    at('translate(16 -5) scale(.72)', HORSE) +
    body('M22 80L24 70V48H36V55H44V48H56V55H64V48H76V70L78 80Z') +
    line('M25 68H75') +
    PLINTH,
  general:
    RIDER +
    body('M25 43L15 14L34 25L47 5L60 25L79 14L69 43C55 38 39 38 25 43Z') +
    ball(15, 12, 4) +
    ball(47, 5, 4) +
    ball(79, 12, 4),
  hawk:
    body('M32 80C41 63 38 56 31 52C25 49 19 49 13 54C11 43 17 35 26 33C29 20 41 13 54 16C79 22 83 54 74 80Z') +
    line('M26 33C31 40 33 46 31 52M60 44C66 52 67 61 65 72M51 55C56 60 57 67 55 74') +
    dot(44, 33, 4) +
    PLINTH,
  elephant:
    body(
      'M80 80C87 50 79 19 53 17C34 16 26 30 25 46C24 58 23 66 18 66C15 66 14 63 15 59L5 58C3 71 11 78 20 77C31 76 34 67 35 59C40 65 41 72 38 80Z',
    ) +
    part('M56 31C75 27 81 46 74 59C69 66 58 65 55 57C51 48 51 38 56 31Z') +
    body('M35 56L18 51L36 48Z') +
    dot(39, 37, 3.6) +
    PLINTH,
  lion:
    petals +
    `<circle class='f' cx='50' cy='46' r='29'/>` +
    `<circle class='p' cx='50' cy='47' r='18.5'/>` +
    dot(42.5, 43, 3) +
    dot(57.5, 43, 3) +
    mark('M44.5 50H55.5L50 56Z') +
    line('M50 56V60') +
    PLINTH,
  unicornio: body('M27 30L5 -2L41 19Z') + line('M17 9L22 6M22 19L30 12') + HORSE + PLINTH,
  giraffe:
    body(
      'M37 80C45 65 50 55 48 44C42 48 33 50 27 47C20 43 22 35 28 32C37 28 41 22 47 20L43 5L50 3L54 17L60 3L67 6L62 22C74 36 73 60 75 80Z',
    ) +
    dot(43, 31, 3.2) +
    dot(58, 34, 4.6) +
    dot(57, 50, 4.6) +
    dot(67, 46, 3.8) +
    dot(54, 66, 4.6) +
    dot(67, 62, 4.6) +
    PLINTH,
  crocodile:
    body('M5 51C18 45 31 43 42 40C43 29 56 27 61 36C78 41 84 58 81 80H35C44 75 45 69 39 66L9 66C1 64 1 54 5 51Z') +
    line('M8 58L14 65L20 58L26 65L32 58L38 65') +
    line('M64 47L72 44M68 58L77 55M69 69L79 67') +
    dot(52, 39, 3.6) +
    PLINTH,
  aanca:
    body('M60 80C66 70 61 60 55 53C72 48 84 32 86 8C97 30 98 62 81 80Z') +
    line('M71 49C80 43 85 34 87 24M72 63C80 59 86 51 89 43') +
    body(
      'M30 80C40 65 37 58 29 54C23 51 17 52 11 58C9 46 15 39 23 36C24 29 28 24 34 21L35 6L45 15L58 5L57 20C70 32 73 56 65 80Z',
    ) +
    line('M23 36C28 42 30 48 29 54') +
    dot(41, 35, 3.8) +
    PLINTH,
  mortar:
    body('M18 80L30 58H76L84 80Z') +
    body('M14 30L40 10L80 50C86 58 76 72 64 68Z') +
    part('M8 30L38 5L46 13L16 39Z') +
    line('M48 53L66 37') +
    `<circle class='p' cx='62' cy='72' r='17'/>` +
    dot(62, 72, 5),
  captain:
    body('M50 10L79 20V42C79 62 66 74 50 81C34 74 21 62 21 42V20Z') +
    mark('M32 49L50 31L68 49V61L50 43L32 61Z') +
    PLINTH,
  duchess:
    body('M24 80L16 44L36 58L50 32L64 58L84 44L76 80Z') +
    ball(16, 41, 5.5) +
    ball(50, 28, 7.5) +
    ball(84, 41, 5.5) +
    line('M27 70H73') +
    PLINTH,
};
