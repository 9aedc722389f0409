"""Defences of what people say to each other in a game, switched off."""

from tests.faults.mutant import Mutant

LETTERS = "tests/realtime/play/test_letters.py"

OF_CHAT: tuple[Mutant, ...] = (
    Mutant(
        "players who missed the end do not get the watchers' chat",
        "server/realtime/play/round_feed.py",
        "                self._open_watchers_chat()\n",
        "                pass\n",
        "tests/realtime/play/chat/test_chat.py",
    ),
    Mutant(
        "watchers talk to players",
        "server/realtime/play/round_feed.py",
        "        players = said if views.may_read(line, self.shown, Color.WHITE) else nothing\n",
        "        players = said\n",
        "tests/faults/input/test_texts.py",
    ),
    Mutant(
        "chat is shown as it was written",
        "server/realtime/play/chat/limiter.py",
        "        message = clean(text, form)\n",
        "        message = text\n",
        "tests/faults/input/test_texts.py",
    ),
    Mutant(
        "a long chat message counts as one line",
        "server/realtime/play/chat/limiter.py",
        "    return -(-len(text) // LINE.longest)\n",
        "    return 1\n",
        LETTERS,
    ),
    Mutant(
        "of a long chat message no more is owed than the bucket holds",
        "server/realtime/process/limits/token_bucket.py",
        "        self.spent += max(0, cost - self.amount)\n",
        "",
        LETTERS,
    ),
    Mutant(
        "a chat message is as long as its sender likes",
        "server/realtime/play/chat/limiter.py",
        "    if len(text) > form.longest:\n",
        "    if False:\n",
        LETTERS,
    ),
    Mutant(
        "live games take long chat messages",
        "server/realtime/play/chat/text.py",
        'room == "players" and control.by_days',
        'room == "players"',
        LETTERS,
    ),
    Mutant(
        "watchers write long chat messages",
        "server/realtime/play/chat/text.py",
        'room == "players" and control.by_days',
        "control.by_days",
        LETTERS,
    ),
    Mutant(
        "a page gets all the latest chat, however long it is",
        "server/realtime/play/chat/history.py",
        "size <= CHAT_BYTES",
        "True",
        LETTERS,
    ),
    Mutant(
        "a chat message that pages no longer get is shown as new",
        "server/realtime/play/chat/history.py",
        "        return hash(line) in self._known\n",
        "        return line in self.lines\n",
        LETTERS,
    ),
    Mutant(
        "empty lines of a chat message push all else away",
        "server/realtime/play/chat/text.py",
        'EMPTY_LINES.sub("\\n\\n", "\\n".join(map(_clean_line, lines)))',
        '"\\n".join(map(_clean_line, lines))',
        LETTERS,
    ),
    Mutant(
        "a mark may stand without a letter",
        "server/realtime/play/chat/text.py",
        " or not kept or kept[-1].isspace():",
        " or not kept:",
        "tests/faults/input/test_texts.py",
    ),
)
