/**
 * The score sheet that a finished game is on paper. The server writes it into the page of such a game; a page that was
 * open while the game was played fetches it when the game is over. Knows no game.
 */
const SHEET = '.score-sheet';

/** Puts the sheet at the end of the page, if it is not there. Without a connection the page is printed as it is. */
export function loadScoreSheet() {
  if (document.querySelector(SHEET)) return;
  // The browser reads the page by itself: making elements of a text is what no script of this site may do.
  const request = new XMLHttpRequest();
  request.responseType = 'document';
  request.onload = () => {
    const sheet = request.responseXML?.querySelector(SHEET);
    if (sheet && !document.querySelector(SHEET)) document.querySelector('main')?.append(document.adoptNode(sheet));
  };
  request.open('GET', location.pathname);
  request.send();
}
