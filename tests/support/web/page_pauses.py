"""A page is filled piece by piece: counts the pauses in which games can go on."""

from server.web.rendering import answers
from server.web.rendering.answers import filling


def pauses_counted(monkeypatch):
    """A list that gets the template's name at each pause from now on."""
    pauses = []

    def counted(template, shown):
        made = filling(template, shown)
        while True:
            try:
                next(made)
            except StopIteration as stop:
                return stop.value
            pauses.append(template.name)
            yield

    monkeypatch.setattr(answers, "filling", counted)
    return pauses
