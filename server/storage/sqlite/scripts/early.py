"""The scripts of the first versions of the SQLite file, none of which changes any more."""

EARLY = (
    """
    CREATE TABLE games (
        id TEXT PRIMARY KEY NOT NULL, rev INTEGER NOT NULL, token TEXT NOT NULL,
        white TEXT NOT NULL, black TEXT NOT NULL, created INTEGER NOT NULL, deadline INTEGER NOT NULL,
        head BLOB NOT NULL
    ) STRICT;
    CREATE INDEX games_by_white ON games (white, created);
    CREATE INDEX games_by_black ON games (black, created);
    CREATE INDEX games_by_deadline ON games (deadline) WHERE deadline >= 0;

    CREATE TABLE moves (
        game TEXT NOT NULL, ply INTEGER NOT NULL, move TEXT NOT NULL,
        PRIMARY KEY (game, ply)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE chat (
        number INTEGER PRIMARY KEY, game TEXT NOT NULL, room TEXT NOT NULL,
        player TEXT NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL, at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX chat_by_game ON chat (game, number);

    CREATE TABLE users (
        id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, guest INTEGER NOT NULL, created INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE sessions (
        token_hash TEXT PRIMARY KEY NOT NULL, user TEXT NOT NULL, created INTEGER NOT NULL, seen INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE alive (node TEXT PRIMARY KEY NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE probe (id INTEGER PRIMARY KEY) STRICT;
    """,
    """
    CREATE TABLE accounts (
        folded TEXT PRIMARY KEY NOT NULL, user TEXT NOT NULL UNIQUE, name TEXT NOT NULL, password TEXT NOT NULL,
        created INTEGER NOT NULL, once_until INTEGER NOT NULL, held_until INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE handovers (
        user TEXT PRIMARY KEY NOT NULL, heir TEXT NOT NULL, name TEXT NOT NULL, leaves INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sessions_by_user ON sessions (user);
    CREATE INDEX sessions_by_use ON sessions (seen);
    CREATE INDEX sessions_by_age ON sessions (created);
    CREATE INDEX chat_by_player ON chat (player, number);
    """,
    # archive: one row for each finished game. Of games that ended before there was an archive the last board is not
    # known here, as it would have to be replayed.
    """
    CREATE TABLE archive (
        key TEXT PRIMARY KEY NOT NULL, pair TEXT NOT NULL, white TEXT NOT NULL, black TEXT NOT NULL,
        variant TEXT NOT NULL, shuffled TEXT NOT NULL, winner TEXT NOT NULL, reason TEXT NOT NULL, rated TEXT NOT NULL,
        source TEXT NOT NULL, line TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT OR IGNORE INTO archive
    SELECT
        printf('%015d', json_extract(head, '$.ended') + 62135596800000) || id,
        lower(json_extract(head, '$.white_name')) || '|' || lower(json_extract(head, '$.black_name')),
        lower(json_extract(head, '$.white_name')), lower(json_extract(head, '$.black_name')),
        json_extract(head, '$.variant'),
        CAST(json_extract(head, '$.chess960') AS TEXT), json_extract(head, '$.result'), json_extract(head, '$.reason'),
        CAST(json_extract(head, '$.rated') AS TEXT), 'played', json_set(head, '$.imported', 0, '$.board', '')
    FROM (SELECT id, CASE WHEN json_valid(CAST(head AS TEXT)) THEN CAST(head AS TEXT) ELSE '{}' END AS head FROM games)
    WHERE json_extract(head, '$.status') = 'over' AND json_extract(head, '$.reason') NOT IN ('abort', 'expired');
    CREATE INDEX archive_by_pair ON archive (pair, key);
    CREATE INDEX archive_by_white ON archive (white, key);
    CREATE INDEX archive_by_black ON archive (black, key);
    CREATE INDEX archive_by_variant ON archive (variant, key);
    CREATE INDEX archive_by_shuffled ON archive (shuffled, key);
    CREATE INDEX archive_by_winner ON archive (winner, key);
    CREATE INDEX archive_by_reason ON archive (reason, key);
    CREATE INDEX archive_by_rated ON archive (rated, key);
    CREATE INDEX archive_by_source ON archive (source, key);
    """,
    """
    CREATE TABLE seeks (
        _id TEXT PRIMARY KEY NOT NULL, game TEXT NOT NULL, maker TEXT NOT NULL, maker_name TEXT NOT NULL,
        registered INTEGER NOT NULL, variants TEXT NOT NULL, chess960 INTEGER NOT NULL, days INTEGER NOT NULL,
        initial INTEGER NOT NULL, increment INTEGER NOT NULL, color TEXT NOT NULL, rated INTEGER NOT NULL,
        created INTEGER NOT NULL, until INTEGER NOT NULL, taker TEXT NOT NULL, taker_name TEXT NOT NULL,
        variant TEXT NOT NULL, maker_color TEXT NOT NULL
    ) STRICT;
    """,
    # ratings: standings, scores and changes are counted from games, each once; `uncounted` names those still to be.
    """
    CREATE TABLE uncounted (game TEXT PRIMARY KEY NOT NULL) STRICT;
    INSERT INTO uncounted
    SELECT id FROM
    (SELECT id, CASE WHEN json_valid(CAST(head AS TEXT)) THEN CAST(head AS TEXT) ELSE '{}' END AS head FROM games)
    WHERE json_extract(head, '$.status') = 'over' AND json_extract(head, '$.reason') NOT IN ('abort', 'expired')
    AND ifnull(json_extract(head, '$.imported'), 0) = 0;
    CREATE TABLE standings (
        player TEXT NOT NULL, category TEXT NOT NULL, value INTEGER NOT NULL, deviation INTEGER NOT NULL,
        volatility INTEGER NOT NULL, rated INTEGER NOT NULL, at INTEGER NOT NULL, sure_until INTEGER NOT NULL,
        won INTEGER NOT NULL, drawn INTEGER NOT NULL, lost INTEGER NOT NULL,
        PRIMARY KEY (player, category)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX standings_by_value ON standings (category, value) WHERE rated > 0;
    CREATE INDEX standings_by_time ON standings (at) WHERE rated > 0;
    CREATE TABLE changes (
        player TEXT NOT NULL, category TEXT NOT NULL, number INTEGER NOT NULL, game TEXT NOT NULL, color TEXT NOT NULL,
        before INTEGER NOT NULL, deviation INTEGER NOT NULL, after INTEGER NOT NULL, at INTEGER NOT NULL,
        PRIMARY KEY (player, category, number)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX changes_by_game ON changes (game);
    CREATE TABLE scores (
        player TEXT NOT NULL, opponent TEXT NOT NULL, games INTEGER NOT NULL,
        won INTEGER NOT NULL, drawn INTEGER NOT NULL, lost INTEGER NOT NULL,
        PRIMARY KEY (player, opponent)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX scores_by_games ON scores (player, games);
    CREATE INDEX scores_by_opponent ON scores (opponent);
    """,
    # alerts: what people want to hear of, when they were last notified, and the browsers that can be notified.
    """
    CREATE TABLE alerts (
        _id TEXT PRIMARY KEY NOT NULL, owner TEXT NOT NULL, registered INTEGER NOT NULL,
        variants TEXT NOT NULL, speeds TEXT NOT NULL, until INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX alerts_by_owner ON alerts (owner);
    CREATE TABLE calls (owner TEXT PRIMARY KEY NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE devices (
        _id TEXT PRIMARY KEY NOT NULL, owner TEXT NOT NULL, p256dh TEXT NOT NULL, auth TEXT NOT NULL,
        language TEXT NOT NULL
    ) STRICT;
    CREATE INDEX devices_by_owner ON devices (owner);
    """,
    """
    CREATE TABLE challenges (game TEXT PRIMARY KEY NOT NULL, player TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
    CREATE INDEX challenges_by_player ON challenges (player, at);
    """,
    "CREATE INDEX alerts_by_end ON alerts (until);",
)
