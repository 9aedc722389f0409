"""What is wrong with the texts of a page, as a reader sees it: cut off, beyond the window, or over one another."""

FOUND = """() => {
    const found = [];
    const called = ({ tagName, id, textContent }) => `${tagName} ${id} "${textContent.trim().slice(0, 40)}"`;
    const shown = each => {
        const { width, height } = each.getBoundingClientRect();
        const visible = each.checkVisibility({ opacityProperty: true, visibilityProperty: true });
        return visible && width > 2 && height > 2;
    };
    const scrolled = (each, axis) => {
        for (let at = each.parentElement; at && at !== document.body; at = at.parentElement) {
            const style = getComputedStyle(at);
            const [overflow, goesOn] =
                axis === 'X'
                    ? [style.overflowX, at.scrollWidth > at.clientWidth]
                    : [style.overflowY, at.scrollHeight > at.clientHeight];
            if (goesOn && /auto|scroll/.test(overflow)) return true;
        }
        return false;
    };
    const widthOfWords = each => {
        const words = document.createRange();
        words.selectNodeContents(each);
        return words.getBoundingClientRect().width;
    };
    const shared = (one, other, from, to) => Math.min(one[to], other[to]) - Math.max(one[from], other[from]);

    // What keeps its place in the window while the page is scrolled is looked at where it stands in the page.
    const sticky = [...document.querySelectorAll('main *')].filter(
        each => getComputedStyle(each).position === 'sticky',
    );
    for (const each of sticky) each.style.position = 'static';

    const all = document.documentElement.scrollWidth;
    if (all > innerWidth) found.push(`the page is ${all} wide`);
    const worded = [
        'button', 'summary', 'h1', 'h2', 'h3', '[role=tab]', '.button', '.control', '.chip-link', '.chip > span',
        '.segments span', '.shelf-one span', '.tag',
    ];
    // Of names, and of where somebody is, the end may be left out.
    const mayEnd = '.seat-name, .seat-presence, .person-link, .terms';
    for (const each of [...document.querySelectorAll(worded.join())].filter(shown)) {
        const { left, right } = each.getBoundingClientRect();
        if (!each.matches(mayEnd) && widthOfWords(each) > right - left + 1) found.push(`cut off: ${called(each)}`);
        const beyond = left < -1 || right > innerWidth + 1;
        if (beyond && !scrolled(each, 'X')) found.push(`beyond the window: ${called(each)}`);
    }

    // What opens over the page, a sheet of a phone among it, may lie over what is there.
    const sheets = [...document.querySelectorAll('.offers, .more-list, dialog, .chat')].filter(
        each => !each.matches('.chat') || getComputedStyle(each).position === 'fixed',
    );
    const liesOver = each => sheets.find(sheet => sheet.contains(each));
    const pressed = 'main :is(button, summary, .button, .chip-link, select, .field)';
    const places = [...document.querySelectorAll(pressed)]
        .filter(each => shown(each) && !scrolled(each, 'X') && !scrolled(each, 'Y') && !each.closest('.more-list'))
        .map(each => ({ each, box: each.getBoundingClientRect() }));
    places.forEach((one, nth) => {
        for (const other of places.slice(nth + 1)) {
            const inside = one.each.contains(other.each) || other.each.contains(one.each);
            if (liesOver(one.each) !== liesOver(other.each)) continue;
            const wide = shared(one.box, other.box, 'left', 'right');
            const high = shared(one.box, other.box, 'top', 'bottom');
            if (!inside && wide > 1 && high > 1)
                found.push(`over one another: ${called(one.each)}, ${called(other.each)}`);
        }
    });

    const everything = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity };
    const rooms = new Map([[document.documentElement, { whole: everything, hidden: false, fixed: false }]]);
    /** What of an element's content can be seen at most, and by which ancestor it is cut off or scrolled there. */
    const roomOf = each => {
        if (rooms.has(each)) return rooms.get(each);
        const { overflowX, overflowY, clipPath, position } = getComputedStyle(each);
        const room = { ...roomOf(each.parentElement) };
        room.hidden ||= clipPath !== 'none';
        room.fixed ||= position === 'fixed';
        const { left, right, top, bottom } = each.getBoundingClientRect();
        if (overflowX !== 'visible') {
            room.X = { by: each, cuts: /hidden|clip/.test(overflowX), from: left, to: right };
            const { left: from, right: to } = room.whole;
            room.whole = { ...room.whole, left: Math.max(left, from), right: Math.min(right, to) };
        }
        if (overflowY !== 'visible') {
            room.Y = { by: each, cuts: /hidden|clip/.test(overflowY), from: top, to: bottom };
            const { top: from, bottom: to } = room.whole;
            room.whole = { ...room.whole, top: Math.max(top, from), bottom: Math.min(bottom, to) };
        }
        rooms.set(each, room);
        return room;
    };
    const unread = 'script, style, noscript, svg, .visually-hidden, #text-board';
    const texts = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const each = node.parentElement;
        if (!node.data.trim() || each.closest(unread)) continue;
        if (!each.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
        const { whole, hidden, fixed, X, Y } = roomOf(each);
        if (hidden || fixed) continue;
        const words = document.createRange();
        words.selectNodeContents(node);
        for (const { left, right, top, bottom } of words.getClientRects()) {
            const wide = X?.cuts ? Math.max(X.from - left, right - X.to) : 0;
            const high = Y?.cuts ? Math.max(Y.from - top, bottom - Y.to) : 0;
            if (Math.max(wide, high) > 4 && !each.closest(mayEnd))
                found.push(`cut off by ${called((wide > 4 ? X : Y).by)}: ${called(each)}`);
            if (!X && (left < -1 || right > innerWidth + 1)) found.push(`beyond the window: ${called(each)}`);
            const box = {
                left: Math.max(left, whole.left), right: Math.min(right, whole.right),
                top: Math.max(top, whole.top), bottom: Math.min(bottom, whole.bottom),
            };
            if (box.right - box.left > 1 && box.bottom - box.top > 1) texts.push({ each, box });
        }
    }
    texts.sort((one, other) => one.box.top - other.box.top);
    texts.forEach((one, nth) => {
        for (let next = nth + 1; next < texts.length && texts[next].box.top < one.box.bottom; next++) {
            const other = texts[next];
            const wide = shared(one.box, other.box, 'left', 'right');
            const high = shared(one.box, other.box, 'top', 'bottom');
            const line = Math.min(one.box.bottom - one.box.top, other.box.bottom - other.box.top);
            const meet = wide > 2 && high > Math.max(4, line / 3);
            if (meet && one.each !== other.each && liesOver(one.each) === liesOver(other.each))
                found.push(`over one another: ${called(one.each)}, ${called(other.each)}`);
        }
    });
    for (const each of sticky) each.style.position = '';
    return found;
}"""
"""Sentences, none if all is well. What its list scrolls is no fault, and what opens over a page may lie over it."""
