/**
 * What this browser remembers of its reader's games, for all of its pages: whether any goes on, and whose board is in
 * front of them.
 */
const PLAYS = 'plays';
const IN_FRONT = 'board-in-front';

/** Whether this browser's person has running games, so that any page knows whether to listen. */
export function playsGames() {
  try {
    return localStorage.getItem(PLAYS) !== null;
  } catch {
    return false;
  }
}

/** @param {boolean} plays */
export function keepPlaying(plays) {
  try {
    if (plays) localStorage.setItem(PLAYS, '1');
    else localStorage.removeItem(PLAYS);
  } catch {
    // Storage may be forbidden; then only the front page knows.
  }
}

/** While the board of `game` is in front of the reader, no other page need call them to it. @param {string} game */
export function keepInFront(game) {
  const say = () => {
    try {
      if (!document.hidden) localStorage.setItem(IN_FRONT, game);
      else if (isInFront(game)) localStorage.removeItem(IN_FRONT);
    } catch {
      // Storage may be forbidden; then one is called once too often.
    }
  };
  document.addEventListener('visibilitychange', say);
  addEventListener('pagehide', () => isInFront(game) && localStorage.removeItem(IN_FRONT));
  say();
}

/** @param {string} game */
export function isInFront(game) {
  try {
    return localStorage.getItem(IN_FRONT) === game;
  } catch {
    return false;
  }
}
