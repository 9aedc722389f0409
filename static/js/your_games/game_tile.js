/**
 * One running game of the reader: its board, small and from their side, and in words against whom, which variant, and how
 * it stands. For the front page and for what stands beside the board of another game. Knows no page.
 *
 * @import { YourGame } from '../net/wire.js'
 * @import { TvVariant } from '../tv/tv_game.js'
 */
import { styleBoard } from '../../pieces/board_style.mjs';
import { lastMoveSquares } from '../board/position.js';
import { smallBoard } from '../board/small_board.js';
import { create, createLink } from '../ui/dom.js';
import { botTitle } from '../ui/person_link.js';
import { personName, shuffledName, t } from '../words.js';
import { isUrgent, stateWords } from './your_game.js';

/** @param {YourGame} game @param {TvVariant | undefined} variant undefined: this page cannot draw it */
export function gameTile(game, variant) {
  const name = variant?.name ?? game.variant;
  const called = game.chess960 ? shuffledName(name) : name;
  const words = [
    create('b', '', ...botTitle(game.bot), game.by ? personName(game.by) : awaited(game)),
    create('span', '', called),
    create('small', '', game.by ? stateWords(game) : ''),
  ];
  const picture = create('span', 'tile-picture');
  if (variant && game.board) {
    styleBoard(picture, variant);
    picture.append(smallBoard(game.board, variant, lastMoveSquares(game.last), game.black === 1));
  }
  const link = createLink(
    `game-tile${isUrgent(game) ? ' waits' : ''}`,
    `/${game.id}`,
    picture,
    create('span', 'tile-words', ...words),
  );
  return create('li', '', link);
}

/** For whom a game waits that has an empty seat. @param {YourGame} game */
const awaited = ({ asked }) => (asked ? t('lobby.asked', { name: asked }) : t('lobby.friend_awaited'));
