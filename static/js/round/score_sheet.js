/**
 * The score sheet that is printed of a finished game. The server puts it into the page of such a game; a page that was open
 * while the game was played fetches it at the end. Knows no game.
 */
const SHEET = '.score-sheet';

/** Puts the sheet at the end of the page, unless it is there. Without a connection the page is printed as it is. */
export function loadScoreSheet() {
  if (document.querySelector(SHEET)) return;
  // Lets the browser parse the page: the scripts of this site may not turn text into elements.
  const request = new XMLHttpRequest();
  request.responseType = 'document';
  request.onload = () => {
    const sheet = request.responseXML?.querySelector(SHEET);
    if (sheet && !document.querySelector(SHEET)) document.querySelector('main')?.append(document.adoptNode(sheet));
  };
  request.open('GET', location.pathname);
  request.send();
}
