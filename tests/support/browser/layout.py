"""What hinders a hand on a page as it is laid out now: controls that are missing, too small, covered, or out of reach.

A control is in reach if it is in sight, or is brought there by one scroll that can be seen to be one: of the page, or
of a list of which enough is shown; what is beside the window in a row that goes on is swiped. It is large enough at
44 px in height and 24 in width, as in a row of words. By WCAG 2.5.8 a link in a sentence may be as low as its line, and
24 px are enough for links that are words alone and for what stands in close rows: moves of a game, names of people.
"""

HINDRANCES = """([promised, covers]) => {
    const LEAST = 43.5, CLOSE = 23.5, LINE = 15, SHOWN_OF_LIST = 44;
    const found = [];
    const called = each => {
        const words = (each.ariaLabel || each.textContent || each.placeholder || '').trim().replace(/\\s+/g, ' ');
        return `${each.id ? `#${each.id}` : `${each.localName}.${each.className}`} "${words.slice(0, 30)}"`;
    };
    const isShown = each => {
        const { width, height } = each.getBoundingClientRect();
        return width > 1 && height > 1 && each.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    };
    for (const selector of promised)
        if (![...document.querySelectorAll(selector)].some(isShown)) found.push(`${selector} is not shown`);

    const pressed = 'a[href], button, input, select, textarea, summary, [role=tab], [role=button]';
    const reading = 'td a, pre a, code a, .moves-in-text';
    const close = '.ply *, .tree-move *, .chat-lines *, .person-link, [aria-current]';
    const isClipped = each => getComputedStyle(each).clipPath !== 'none' || each.closest('.visually-hidden, .skip');
    // A radio button or a switch is pressed on its label.
    const ofField = each => (each.matches('[type=radio], [type=checkbox]') && each.closest('label')) || each;
    const isInSentence = each => {
        if (each.matches(reading)) return true;
        if (each.localName !== 'a' || !getComputedStyle(each).display.startsWith('inline')) return false;
        const others = [...each.parentElement.childNodes].filter(node => node !== each && node.textContent.trim());
        return others.some(node => node.nodeType === Node.TEXT_NODE || node.localName !== 'a');
    };
    /** A link that is words alone, in no frame and on no ground of its own. */
    const isWords = each => {
        const { borderTopWidth, backgroundColor } = getComputedStyle(each);
        return each.localName === 'a' && parseFloat(borderTopWidth) === 0 && /, 0\\)$/.test(backgroundColor);
    };
    const controls = [...new Set([...document.querySelectorAll(pressed)].map(ofField))].filter(
        each => isShown(each) && !each.disabled && !isClipped(each),
    );

    /** What takes the press: a link over a whole card lies in its ::after, of which scripts see the style alone. */
    const sizeOf = each => {
        const { width, height } = each.getBoundingClientRect();
        const over = getComputedStyle(each, '::after');
        if (over.content === 'none' || over.position !== 'absolute') return [width, height];
        return [Math.max(width, parseFloat(over.width) || 0), Math.max(height, parseFloat(over.height) || 0)];
    };
    for (const each of controls) {
        const [width, height] = sizeOf(each);
        const least = isInSentence(each) ? LINE : each.matches(close) || isWords(each) ? CLOSE : LEAST;
        if (height < least || (least === LEAST && width < CLOSE))
            found.push(`small, ${Math.round(width)}x${Math.round(height)}: ${called(each)}`);
    }

    const root = document.scrollingElement;
    const roomOf = each => {
        if (each !== root) return each.getBoundingClientRect();
        return { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    };
    /** The ancestors that hide the middle of a control, the innermost first; `swiped`: one of them does so sideways. */
    const hidersOf = each => {
        const middle = ({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2];
        let [x, y] = middle(each.getBoundingClientRect());
        const hiders = [], sideways = [];
        let fixed = getComputedStyle(each).position === 'fixed';
        for (let at = each.parentElement; at && !fixed; at = at.parentElement) {
            const { overflowX, overflowY, position, display } = getComputedStyle(at);
            fixed = position === 'fixed';
            const cutsNothing = overflowX === 'visible' && overflowY === 'visible';
            if (display === 'contents' || at === root || at === document.body || cutsNothing) continue;
            const room = at.getBoundingClientRect();
            const beside = x < room.left || x > room.right, beyond = y < room.top || y > room.bottom;
            if (!(beside && overflowX !== 'visible') && !(beyond && overflowY !== 'visible')) continue;
            // A row that goes on beside the window shows so, and is swiped; that is no second way down.
            (beyond || hiders.length ? hiders : sideways).push(at);
            // Scrolled there, the control is where the list is.
            [x, y] = middle(room);
        }
        if (x < 0 || x > innerWidth || y < 0 || y > innerHeight) hiders.push(root);
        return { hiders, swiped: sideways.length > 0 };
    };
    const isUncovered = each => {
        const { left, right, top, bottom } = each.getBoundingClientRect();
        const rect = each.getClientRects()[0];
        // Its middle; of a link that breaks, that of its first line; of the way home, the house.
        const points = [
            [(left + right) / 2, (top + bottom) / 2],
            [(rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2],
            [left + 16, (top + bottom) / 2],
        ];
        return points.some(([x, y]) => {
            const top = document.elementFromPoint(x, y);
            return top && (each.contains(top) || (top.contains(each) && top.localName === 'label'));
        });
    };
    // What lies over the page by design: a sheet, which the person who has opened it puts away; a bar in the head, over
    // what the page is called and the games that wait, to one of which it leads; an offer, over the moves, over the
    // field below them where fingers move pieces, and over the replay.
    const over = covers && document.querySelector(covers);
    const bar = document.querySelector('.site-title > .notification-bar');
    const isUnder = each =>
        (over && !over.contains(each) && !each.closest('.offers, .site-head, .site-notice')) ||
        (bar && !bar.contains(each) && each.closest('.site-title')) ||
        each.closest('.ply, .chat-lines, .replay') ||
        (each.matches('#move-text') && matchMedia('(hover: none)').matches);
    const late = [];
    for (const each of controls) {
        if (isUnder(each)) continue;
        const { hiders, swiped } = hidersOf(each);
        if (hiders.length > 1) found.push(`${hiders.length} scrolls away: ${called(each)}`);
        else if (!hiders.length && !swiped && isUncovered(each)) continue;
        const [hider] = hiders;
        if (hider && hider !== root) {
            const { overflowX, overflowY } = getComputedStyle(hider);
            const scrolls = /auto|scroll/.test(overflowX) || /auto|scroll/.test(overflowY);
            const { left, top, right, bottom } = roomOf(hider);
            const seen = Math.min(bottom, innerHeight) - Math.max(top, 0);
            if (!scrolls) found.push(`cut off: ${called(each)}`);
            else if (seen < SHOWN_OF_LIST) found.push(`below a scroll of ${Math.round(seen)} px: ${called(each)}`);
        }
        late.push(each);
    }
    for (const each of late) {
        const before = [];
        for (let at = each; at; at = at.parentElement) before.push([at, at.scrollLeft, at.scrollTop]);
        each.scrollIntoView({ block: 'center', inline: 'center' });
        if (!isUncovered(each)) {
            const { left, right, top, bottom } = each.getBoundingClientRect();
            const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
            found.push(`covered by ${above ? called(above) : 'nothing, but not there'}: ${called(each)}`);
        }
        for (const [at, left, top] of before)
            if (at.scrollLeft !== left || at.scrollTop !== top) at.scrollTo(left, top);
    }
    if (root.scrollWidth > innerWidth) {
        const reaches = each => each.getBoundingClientRect().right >= root.scrollWidth;
        const wide = [...document.querySelectorAll('body *')].find(reaches);
        found.push(`the page is ${root.scrollWidth} wide${wide ? `, by ${called(wide)}` : ''}`);
    }
    return found;
}"""
"""Sentences, none if all is well, of what `promised` selects and of all controls that are shown. `covers`: what lies
over the page by the person's own wish, or null."""
