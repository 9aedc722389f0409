/** The paper style: folded sheets, all of straight edges, with the light from the left. */
import { at, body, line, mark, part, shade } from './shapes.mjs';

const FOOT = body('M21 92L29 81H71L79 92Z') + shade('M50 81H71L79 92H50Z');

const HORSE =
  body('M31 81L36 66L51 51L44 49L29 62L17 59L14 49L27 32L33 21L35 7L46 17L62 24L74 42L79 81Z') +
  shade('M46 17L62 24L74 42L79 81H60L65 54L57 35Z') +
  shade('M51 51L36 66L31 81H44L49 66Z') +
  mark('M33 35L42 32L39 39Z') +
  mark('M18 52L23 51L21 55Z');

const diamond = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ r) =>
  body(`M${x} ${y - r}L${x + r} ${y}L${x} ${y + r}L${x - r} ${y}Z`) +
  shade(`M${x} ${y - r}L${x + r} ${y}L${x} ${y + r}Z`);

/** @type {Record<string, string>} */
export const PAPER = {
  pawn:
    body('M40 48H60L73 81H27Z') +
    shade('M50 48H60L73 81H50Z') +
    body('M50 10L69 21V42L50 53L31 42V21Z') +
    shade('M50 10L69 21V42L50 53Z') +
    FOOT,
  knight: HORSE + FOOT,
  bishop:
    body('M38 62H62L70 81H30Z') +
    shade('M50 62H62L70 81H50Z') +
    body('M50 14L76 43L65 64H35L24 43Z') +
    shade('M50 14L76 43L65 64H50Z') +
    diamond(50, 10, 8) +
    line('M60 33L48 47') +
    FOOT,
  rook:
    body('M35 44H65L73 81H27Z') +
    shade('M50 44H65L73 81H50Z') +
    body('M24 15H37V24H44V15H56V24H63V15H76V36L66 47H34L24 36Z') +
    shade('M50 15H56V24H63V15H76V36L66 47H50Z') +
    FOOT,
  queen:
    body('M12 24L30 49L33 18L45 45L50 11L55 45L67 18L70 49L88 24L75 81H25Z') +
    shade('M50 11L55 45L67 18L70 49L88 24L75 81H50Z') +
    line('M27 69H73') +
    FOOT,
  king:
    body('M46 2H54V9H62V17H54V27H46V17H38V9H46Z') +
    diamond(50, 36, 12) +
    body('M50 50L34 29L14 38L27 81H73L86 38L66 29Z') +
    shade('M50 50L66 29L86 38L73 81H50Z') +
    line('M24 69H76') +
    FOOT,
  archbishop:
    body('M65 16L87 42L80 81H45V42Z') +
    shade('M65 16L87 42L80 81H65Z') +
    diamond(65, 11, 8) +
    line('M74 31L64 44') +
    at('translate(-8 20) scale(.755)', HORSE) +
    FOOT,
  chancellor:
    at('translate(17 -6) scale(.7)', HORSE) +
    body('M21 81L25 68V46H37V54H44V46H56V54H63V46H75V68L79 81Z') +
    shade('M50 46H56V54H63V46H75V68L79 81H50Z') +
    line('M25 68H75') +
    FOOT,
  general:
    at('translate(9 18) scale(.78)', HORSE) +
    body('M22 37L11 9L29 22L43 1L57 22L75 9L64 37Z') +
    shade('M43 1L57 22L75 9L64 37H43Z') +
    FOOT,
  hawk:
    body('M31 81L42 67L38 56L29 33L40 19L58 12L76 19L94 22L84 33L97 45L86 52L93 64L83 67L81 81Z') +
    shade('M58 12L76 19L94 22L84 33L97 45L86 52L93 64L83 67L81 81H60L68 52Z') +
    body('M33 29L17 34L6 47L9 67L18 56L41 52L43 40Z') +
    shade('M6 47L43 43L41 52L18 56L9 67Z') +
    mark('M38 33L66 23L65 31L49 37Z') +
    mark('M51 41L61 36L58 45Z') +
    FOOT,
  elephant:
    body('M40 81L42 68L36 60L32 73L23 81H10L1 69L8 62L15 69L21 65L24 45L32 25L49 15L70 19L84 41L80 81Z') +
    shade('M84 41L80 81H66L70 60L74 34Z') +
    body('M36 57L15 51L34 46Z') +
    part('M53 28L74 33L77 53L65 67L53 55Z') +
    shade('M53 28L74 33L77 53L65 67Z') +
    mark('M36 34L45 34L41 41Z') +
    FOOT,
  lion:
    body('M50 4L62 11L77 9L81 23L94 30L91 46L98 59L86 67L84 81H16L14 67L2 59L9 46L6 30L19 23L23 9L38 11Z') +
    shade('M50 4L62 11L77 9L81 23L94 30L91 46L98 59L86 67L84 81H16L14 67L2 59L9 46L6 30L19 23L23 9L38 11Z') +
    part('M33 40L20 32L24 20L42 28Z') +
    part('M67 40L80 32L76 20L58 28Z') +
    part('M40 26H60L71 38L68 50L63 56L60 70L50 76L40 70L37 56L32 50L29 38Z') +
    shade('M60 26L71 38L68 50L63 56L60 70L50 76V62L59 53L55 38Z') +
    mark('M35 40L46 42L40 47Z') +
    mark('M65 40L54 42L60 47Z') +
    mark('M40 53H60L50 63Z') +
    line('M50 63V68') +
    FOOT,
  unicornio: body('M27 30L4 -3L42 19Z') + shade('M4 -3L42 19L35 24Z') + HORSE + FOOT,
  giraffe:
    body('M36 81L47 60L46 44L34 51L22 46L21 37L36 28L46 20L42 5L49 3L54 17L60 3L67 6L62 23L72 44L76 81Z') +
    shade('M62 23L72 44L76 81H64L62 48L56 28Z') +
    mark('M37 33L44 31L42 37Z') +
    mark('M52 30L59 33L54 40Z') +
    mark('M55 46L64 44L61 54Z') +
    mark('M50 60L58 62L52 70Z') +
    mark('M64 60L71 66L64 72Z') +
    FOOT,
  crocodile:
    body(
      'M1 25L6 9L17 10L41 18L45 5L59 7L66 18L76 21L77 31L88 36L85 46L94 53L86 62L90 72L83 81H34L44 71L36 67L7 71L2 60L15 57L21 46L28 55L49 50L39 38L31 46L25 34L16 40L11 31Z',
    ) +
    shade('M49 50L66 18L76 21L77 31L88 36L85 46L94 53L86 62L90 72L83 81H34L44 71L36 67L7 71L4 64L52 60Z') +
    mark('M47 14L58 14L52 22Z') +
    FOOT,
  aanca:
    body('M58 81L66 52L86 5L91 23L98 27L93 41L99 48L92 59L95 69L84 81Z') +
    shade('M86 5L91 23L98 27L93 41L99 48L92 59L95 69L84 81H74Z') +
    body('M30 81L42 68L37 56L26 36L32 22L33 4L45 15L59 3L61 21L70 46L67 81Z') +
    shade('M59 3L61 21L70 46L67 81H53L59 50L51 26Z') +
    body('M28 32L14 38L7 50L11 68L20 56L38 55L41 44Z') +
    shade('M7 50L41 46L38 55L20 56L11 68Z') +
    mark('M40 33L51 30L47 39Z') +
    FOOT,
  mortar:
    at(
      'translate(4 11) rotate(-38 54 50) scale(.9)',
      body('M32 20H80L76 66L64 78H48L36 66Z') +
        shade('M56 20H80L76 66L64 78H56Z') +
        body('M25 3H87V20H25Z') +
        shade('M56 3H87V20H56Z'),
    ) +
    body('M19 81L32 64H76L85 81Z') +
    shade('M60 64H76L85 81H60Z') +
    part('M60 51L70 55L74 65L70 75L60 79L50 75L46 65L50 55Z') +
    mark('M60 60L65 65L60 70L55 65Z') +
    FOOT,
  captain:
    body('M50 7L80 19V44L70 66L50 81L30 66L20 44V19Z') +
    shade('M50 7L80 19V44L70 66L50 81Z') +
    mark('M32 48L50 30L68 48V61L50 43L32 61Z') +
    FOOT,
  duchess:
    body('M14 44L36 59L50 32L64 59L86 44L76 81H24Z') +
    shade('M50 32L64 59L86 44L76 81H50Z') +
    diamond(50, 25, 9) +
    diamond(14, 40, 7) +
    diamond(86, 40, 7) +
    line('M26 71H74') +
    FOOT,
};
