"""Reads pictures back: which pieces a board shows on which squares, and what an animation shows at an instant."""

import re
from xml.etree import ElementTree

from server.pictures.scene import PIECE
from server.pictures.theme import CHECK, MOVED

NS = "{http://www.w3.org/2000/svg}"


def parse(svg):
    return ElementTree.fromstring(svg)


def value_at(animation, part):
    """What an animation gives at `part` (0 to 1) of its length; between two places it is where it goes."""
    values, keys = animation.get("values").split(";"), [float(key) for key in animation.get("keyTimes").split(";")]
    assert len(values) == len(keys)
    assert keys == sorted(keys)
    assert keys[0] == 0
    return next(value for value, key in zip(reversed(values), reversed(keys), strict=True) if key <= part)


def shown(element, attribute, part, otherwise=None):
    """An attribute of the element at that instant."""
    for child in element:
        if child.tag.startswith(f"{NS}animate") and child.get("attributeName") == attribute:
            value = value_at(child, part)
            return f"translate({value})" if child.tag == f"{NS}animateTransform" else value
    return element.get(attribute, otherwise)


def pieces(svg, view, part=0.0):
    """(square, drawing, side) of everything that stands on the board at that instant, sorted."""
    root = parse(svg)
    drawn = {one.get("id"): "".join(one.itertext()) + ElementTree.tostring(one).decode() for one in root.iter(f"{NS}g")}
    squares = {view.corner(square): square for square in range(view.variant.geometry.size)}
    found = []
    for group in root.findall(f"{NS}g"):
        side = re.fullmatch(r"url\(#i([01])\)", group.get("fill", ""))
        for one in group.iter() if side else ():
            if one.tag != f"{NS}use" or "scale" in one.get("transform", ""):
                continue
            holder = next((parent for parent in group if one in list(parent)), one)
            if shown(holder, "visibility", part, "visible") == "visible":
                found.append((squares[_corner(holder, part)], shape(drawn[one.get("href")[1:]]), int(side[1])))
    return sorted(found)


def shape(markup):
    """A drawing without its name, which differs from picture to picture."""
    return re.sub(r'<ns0:g [^>]*id="\w+"[^>]*>|xmlns:ns0="[^"]*"', "", markup)


def _corner(one, part):
    place = shown(one, "transform", part)
    if place is None:
        x, y = float(one.get("x")), float(one.get("y"))
    else:
        x, y = map(float, re.fullmatch(r"translate\((\S+) (\S+)\)", place).groups())
    return round(x - PIECE[0]), round(y - PIECE[1])


def moved(svg, view, part=0.0):
    """The squares of the last move that are marked at that instant: (square, whether its frame is dashed)."""
    squares = {view.corner(square): square for square in range(view.variant.geometry.size)}
    found = []
    for group in parse(svg).findall(f"{NS}g"):
        rect = group.find(f"{NS}rect")
        if rect is not None and rect.get("fill") == MOVED[:7]:
            x, y = re.fullmatch(r"translate\((\S+) (\S+)\)", shown(group, "transform", part)).groups()
            found.append((squares.get((int(x), int(y))), "stroke-dasharray" in rect.attrib))
    return sorted(one for one in found if one[0] is not None)


def moved_in(scene):
    """What `moved` should find in a picture of that scene."""
    return sorted((square, square == scene.left) for square in scene.moved)


def alarms(svg, view, part=0.0):
    """Squares with the star of a check at that instant."""
    squares = {view.corner(square): square for square in range(view.variant.geometry.size)}
    lit = set()
    for group in parse(svg).findall(f"{NS}g"):
        star = group.find(f"{NS}path")
        if star is not None and star.get("fill") == CHECK:
            x, y = re.fullmatch(r"translate\((\S+) (\S+)\)", shown(group, "transform", part)).groups()
            lit.add(squares.get((int(x), int(y))))
    return lit - {None}


def counted(svg, view, part=0.0):
    """By side: how many checks are counted as given at that instant."""
    found = [0, 0]
    tops = {view.checks_top(side) + 6: side for side in (0, 1)}
    for star in parse(svg).iter(f"{NS}path"):
        place = re.fullmatch(r"translate\(\S+ (\S+)\) scale\(0.36\)", star.get("transform", ""))
        if place and shown(star, "fill-opacity", part) == "1":
            found[tops[int(place[1])]] += 1
    return found


def pockets(svg, view, part=0.0):
    """By side: the numbers that are seen in its pocket."""
    found = ([], [])
    for group in parse(svg).findall(f"{NS}g"):
        text = group.find(f"{NS}text")
        is_badge = text is not None and text.get("text-anchor") == "middle"
        if is_badge and shown(group, "visibility", part, "visible") == "visible":
            side = view.near if float(text.get("y")) > view.height / 2 else 1 - view.near
            found[side].append(int(text.text))
    return found
