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

    const all = document.documentElement.scrollWidth;
    if (all > innerWidth) found.push(`the page is ${all} wide`);
    const worded = [
        'button', 'summary', 'h1', 'h2', 'h3', '[role=tab]', '.button', '.control', '.chip-link', '.chip > span',
        '.segments span', '.shelf-one span', '.tag',
    ];
    for (const each of [...document.querySelectorAll(worded.join())].filter(shown)) {
        const { left, right } = each.getBoundingClientRect();
        if (widthOfWords(each) > right - left + 1) found.push(`cut off: ${called(each)}`);
        const beyond = left < -1 || right > innerWidth + 1;
        if (beyond && !scrolled(each, 'X')) found.push(`beyond the window: ${called(each)}`);
    }

    const pressed = 'main :is(button, summary, .button, .chip-link, select, .field)';
    const places = [...document.querySelectorAll(pressed)]
        .filter(each => shown(each) && !scrolled(each, 'X') && !scrolled(each, 'Y') && !each.closest('.more-list'))
        .map(each => ({ each, box: each.getBoundingClientRect() }));
    places.forEach((one, nth) => {
        for (const other of places.slice(nth + 1)) {
            const inside = one.each.contains(other.each) || other.each.contains(one.each);
            const wide = shared(one.box, other.box, 'left', 'right');
            const high = shared(one.box, other.box, 'top', 'bottom');
            if (!inside && wide > 1 && high > 1)
                found.push(`over one another: ${called(one.each)}, ${called(other.each)}`);
        }
    });
    return found;
}"""
"""Sentences, none if all is well. What its list scrolls is no fault, and what opens over a page may lie over it."""
