/** The carved style: rounded bodies with lines upon them. The site's own, on every page. */
import { at, ball, body, dot, line, mark, part, ring } from './shapes.mjs';

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

/** @type {Record<string, string>} */
export const CARVED = {
  pawn:
    body('M26 80C28 67 40 62 42 49H58C60 62 72 67 74 80Z') +
    body('M32 53C32 48 35 46 39 46H61C65 46 68 48 68 53Z') +
    ball(50, 29, 17.5) +
    PLINTH,
  knight: HORSE + PLINTH,
  bishop:
    body('M32 80C40 74 41 68 38 62H62C59 68 60 74 68 80Z') +
    body('M50 15C34 27 23 41 27 53C29 60 38 64 50 64C62 64 71 60 73 53C77 41 66 27 50 15Z') +
    ball(50, 10.5, 6.5) +
    line('M60 29L47 45') +
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
  archbishop:
    body('M64 14C50 25 41 38 44 54L46 80H80C78 70 81 64 84 54C87 41 78 25 64 14Z') +
    ball(64, 9, 6.2) +
    line('M73 28L63 41') +
    at('translate(-7 18) scale(.775)', HORSE) +
    PLINTH,
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
    body(
      'M31 80C38 73 41 67 39 59L30 32C37 18 50 11 63 14C69 15 73 18 77 22L94 23L85 34L97 44L86 51L93 63L83 66C84 71 83 76 81 80Z',
    ) +
    body('M33 29C22 27 11 32 7 43C5 50 5 57 9 64C12 57 17 53 25 53C32 54 38 53 41 50C43 42 41 34 33 29Z') +
    line('M19 43C26 46 33 46 41 45') +
    mark('M39 31L66 23L68 28L50 36C47 37 43 35 39 31Z') +
    dot(56, 39.5, 4.6) +
    line('M56 57L63 63L70 57M57 68L63 73L69 68') +
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
    body(
      'M50 11C53 8 57 5 62 4C62 7 63 9 65 11C70 9 76 9 81 11C79 14 79 17 80 20C85 20 90 23 94 27C90 29 88 32 88 36C92 38 95 43 97 48C92 48 89 50 87 53C89 58 90 63 89 68C85 66 82 66 79 68C80 72 80 76 79 80H21C20 76 20 72 21 68C18 66 15 66 11 68C10 63 11 58 13 53C11 50 8 48 3 48C5 43 8 38 12 36C12 32 10 29 6 27C10 23 15 20 20 20C21 17 21 14 19 11C24 9 30 9 35 11C37 9 38 7 38 4C43 5 47 8 50 11Z',
    ) +
    ring(31, 29, 7.5) +
    ring(69, 29, 7.5) +
    part(
      'M50 25C36 25 29 33 30 43C31 50 34 54 36 62C39 71 44 75 50 75C56 75 61 71 64 62C66 54 69 50 70 43C71 33 64 25 50 25Z',
    ) +
    dot(41, 42, 3.4) +
    dot(59, 42, 3.4) +
    mark('M41 52H59L50 61Z') +
    line('M50 60V65M42 68C46 69 49 68 50 65C51 68 54 69 58 68') +
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
    body(
      'M1 23C0 13 6 7 13 9L41 17C42 5 57 3 61 13L69 17L71 27L80 31L80 42L88 49L84 60L89 69L84 80H34C42 76 43 71 37 69L9 70C1 70 0 61 7 59L16 57L22 48L29 55L47 51C46 46 43 42 38 39L34 38L30 46L23 35L17 33L13 40L8 30C4 30 2 27 1 23Z',
    ) +
    dot(51, 17.5, 4) +
    line('M60 36L67 43M63 53L72 57M62 67L72 69') +
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
    at(
      'translate(4 10) rotate(-38 54 50) scale(.9)',
      body('M32 20H80V54C80 68 71 78 56 78C41 78 32 68 32 54Z') + body('M26 4H86V20H26Z') + line('M34 37H78'),
    ) +
    body('M20 80L32 64H76L84 80Z') +
    ring(60, 66, 14) +
    dot(60, 66, 4.5) +
    PLINTH,
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
