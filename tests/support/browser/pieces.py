"""Which pieces stand where: as a page shows them, and as a FEN says."""

import re

# A JavaScript expression: {"e2": "white p-piece", ...}, read from where each picture is drawn.
PIECES = """(() => {
    const table = document.getElementById('round');
    const board = document.querySelector('cg-board');
    const black = board.closest('.cg-wrap').classList.contains('orientation-black');
    const [files, ranks] = [Number(table.dataset.files), Number(table.dataset.ranks)];
    const area = board.getBoundingClientRect();
    return Object.fromEntries([...board.querySelectorAll('piece:not(.ghost)')].map(piece => {
        const { m41, m42 } = new DOMMatrix(piece.style.transform);
        const [x, y] = [m41 / area.width * files, m42 / area.height * ranks].map(part => Math.round(part * 10) / 10);
        const square = String.fromCharCode(97 + (black ? files - 1 - x : x)) + (black ? y + 1 : ranks - y);
        const [color, kind] = [/white|black/, /\\w+-piece/].map(part => part.exec(piece.className)[0]);
        return [square, `${color} ${kind}`];
    }));
})()"""

# A JavaScript expression over `wanted`: whether the page shows exactly those.
SAME_PIECES = f"""(pieces => {{
    const squares = Object.keys(pieces);
    return squares.length === Object.keys(wanted).length && squares.every(square => pieces[square] === wanted[square]);
}})({PIECES})"""


def pieces_of(fen):
    """The pieces of a FEN by square, in the words of PIECES."""
    rows = fen.split()[0].partition("[")[0].split("/")
    pieces = {}
    for rank, row in zip(range(len(rows), 0, -1), rows, strict=True):
        file = 0
        for token in re.findall(r"\d+|\+?[A-Za-z]", row):
            if token.isdecimal():
                file += int(token)
                continue
            color = "white" if token[-1].isupper() else "black"
            pieces[f"{chr(ord('a') + file)}{rank}"] = f"{color} {token.lower().replace('+', 'p')}-piece"
            file += 1
    return pieces
