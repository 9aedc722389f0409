"""What the tables of the SQLite file are: one script for each version of it. `schema` runs them.

A file of version n (PRAGMA user_version) needs the scripts from n on. Only add to the end: a script that was released
never changes, as files out there have run it. `head` is a game's document without its moves, as JSON; the columns
beside it are copies of those of its fields that are searched for. A head that is damaged must keep no file from being
brought up to date.
"""

import re
from collections.abc import Sequence

SCRIPTS = (
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
    # places: marks of networks, with spaces between.
    "ALTER TABLE accounts ADD COLUMN places TEXT NOT NULL DEFAULT '';",
    # Whose games go on is asked on many pages; whoever has played thousands has a few of them.
    """
    ALTER TABLE games ADD COLUMN running INTEGER NOT NULL DEFAULT 1;
    UPDATE games SET running = 0 WHERE CASE WHEN json_valid(CAST(head AS TEXT))
        THEN json_extract(CAST(head AS TEXT), '$.status') = 'over' ELSE 0 END;
    CREATE INDEX games_running_of_white ON games (white, created) WHERE running = 1;
    CREATE INDEX games_running_of_black ON games (black, created) WHERE running = 1;
    """,
    """
    CREATE TABLE imports (
        game TEXT PRIMARY KEY NOT NULL, at INTEGER NOT NULL, plies INTEGER NOT NULL, user TEXT NOT NULL,
        place TEXT NOT NULL
    ) STRICT;
    CREATE INDEX imports_by_user ON imports (user, at);
    CREATE INDEX imports_by_place ON imports (place, at);
    """,
    # In correspondence games that an older release stored, reminders begin with the next turn.
    """
    ALTER TABLE games ADD COLUMN remind_at INTEGER NOT NULL DEFAULT -1;
    CREATE INDEX games_by_reminder ON games (remind_at) WHERE remind_at >= 0;
    """,
    # Mail: people's addresses, what is to be sent, the turns of which nobody was told yet, what links are signed with.
    """
    CREATE TABLE addresses (
        _id TEXT PRIMARY KEY NOT NULL, owner TEXT NOT NULL, address TEXT NOT NULL, language TEXT NOT NULL,
        added INTEGER NOT NULL, confirmed INTEGER NOT NULL, refused INTEGER NOT NULL, wishes TEXT NOT NULL
    ) STRICT;
    CREATE INDEX addresses_by_owner ON addresses (owner);
    CREATE TABLE outbox (
        _id TEXT PRIMARY KEY NOT NULL, owner TEXT NOT NULL, address TEXT NOT NULL, topic TEXT NOT NULL,
        message TEXT NOT NULL, made INTEGER NOT NULL, next_try INTEGER NOT NULL, until INTEGER NOT NULL,
        tries INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX outbox_by_next_try ON outbox (next_try);
    CREATE INDEX outbox_by_owner ON outbox (owner);
    CREATE INDEX outbox_by_topic ON outbox (topic);
    CREATE TABLE untold (game TEXT PRIMARY KEY NOT NULL, rev INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE secrets (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    """,
    # cap: of a time bank.
    "ALTER TABLE seeks ADD COLUMN cap INTEGER NOT NULL DEFAULT 0;",
    """
    CREATE TABLE notices (
        _id TEXT PRIMARY KEY NOT NULL, text TEXT NOT NULL, posted INTEGER NOT NULL, until INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """,
    # Held: news that people are told of later, several in one mail.
    """
    CREATE TABLE held (
        _id TEXT PRIMARY KEY NOT NULL, owner TEXT NOT NULL, address TEXT NOT NULL, game TEXT NOT NULL,
        kind TEXT NOT NULL, rev INTEGER NOT NULL, due INTEGER NOT NULL, digest TEXT NOT NULL
    ) STRICT;
    CREATE INDEX held_by_due ON held (due);
    CREATE INDEX held_by_mailbox ON held (owner, address);
    CREATE INDEX held_by_game ON held (game);
    CREATE INDEX held_by_digest ON held (digest);
    """,
    """
    CREATE TABLE vacations (
        _id TEXT PRIMARY KEY NOT NULL, owner TEXT NOT NULL, began INTEGER NOT NULL, until INTEGER NOT NULL,
        settled INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX vacations_by_owner ON vacations (owner, began);
    CREATE INDEX vacations_unsettled ON vacations (began) WHERE settled = 0;
    """,
    """
    CREATE TABLE how_told (
        _id TEXT PRIMARY KEY NOT NULL, zone TEXT NOT NULL, quiet_from INTEGER NOT NULL, quiet_until INTEGER NOT NULL,
        silent TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    """,
    "CREATE TABLE unwanted_mail (_id TEXT PRIMARY KEY NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;",
    # letters: whose letters pieces have in mails.
    "ALTER TABLE addresses ADD COLUMN letters TEXT NOT NULL DEFAULT '';",
    # by_hand: whether somebody says themselves what comes of an opponent's fallen flag, in new correspondence games.
    "ALTER TABLE accounts ADD COLUMN by_hand INTEGER NOT NULL DEFAULT 0;",
    # bounced, bounced_mail: the last mail to an address that failed for good.
    """
    ALTER TABLE addresses ADD COLUMN bounced INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE addresses ADD COLUMN bounced_mail TEXT NOT NULL DEFAULT '';
    """,
    # ties: who follows and who has blocked whom.
    """
    CREATE TABLE ties (
        _id TEXT PRIMARY KEY NOT NULL, owner TEXT NOT NULL, kind TEXT NOT NULL, other TEXT NOT NULL, name TEXT NOT NULL,
        at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX ties_by_owner ON ties (owner, at);
    CREATE INDEX ties_by_other ON ties (other);
    """,
    # reports: what people tell the host about one another.
    """
    CREATE TABLE reports (
        _id TEXT PRIMARY KEY NOT NULL, owner TEXT NOT NULL, owner_name TEXT NOT NULL, about TEXT NOT NULL,
        about_name TEXT NOT NULL, kind TEXT NOT NULL, game TEXT NOT NULL, text TEXT NOT NULL, at INTEGER NOT NULL,
        closed INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX reports_by_owner ON reports (owner);
    CREATE INDEX reports_about ON reports (about);
    CREATE INDEX reports_open ON reports (at) WHERE closed = 0;
    """,
    # preferences: what somebody has chosen for boards, sounds and the rest.
    "ALTER TABLE users ADD COLUMN preferences TEXT NOT NULL DEFAULT '';",
    # lessons: what somebody has done of them.
    """
    CREATE TABLE lessons (
        _id TEXT PRIMARY KEY NOT NULL, owner TEXT NOT NULL, lesson TEXT NOT NULL, step TEXT NOT NULL,
        at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX lessons_by_owner ON lessons (owner);
    """,
    # unlisted: whether somebody is not shown among those who are on the site.
    "ALTER TABLE accounts ADD COLUMN unlisted INTEGER NOT NULL DEFAULT 0;",
    # rating: of the maker, as others read it.
    "ALTER TABLE seeks ADD COLUMN rating TEXT NOT NULL DEFAULT '';",
    # untold: whether a line of chat is still to be told to whom it was said.
    """
    ALTER TABLE chat ADD COLUMN untold INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX chat_untold ON chat (game, player, at) WHERE untold = 1;
    """,
    # tokens: what lets programs act for somebody.
    """
    CREATE TABLE tokens (
        _id TEXT PRIMARY KEY NOT NULL, owner TEXT NOT NULL, name TEXT NOT NULL, scopes TEXT NOT NULL,
        created INTEGER NOT NULL, used INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX tokens_by_owner ON tokens (owner);
    """,
    # bot: whether a program plays.
    """
    ALTER TABLE accounts ADD COLUMN bot INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX accounts_of_bots ON accounts (user) WHERE bot = 1;
    """,
    # puzzles; the games that were searched for them; what people did at them.
    """
    CREATE TABLE puzzles (
        _id TEXT PRIMARY KEY NOT NULL, variant TEXT NOT NULL, chess960 INTEGER NOT NULL, fen TEXT NOT NULL,
        last TEXT NOT NULL, line TEXT NOT NULL, themes TEXT NOT NULL, game TEXT NOT NULL, ply INTEGER NOT NULL,
        made INTEGER NOT NULL, rating INTEGER NOT NULL, deviation INTEGER NOT NULL, volatility INTEGER NOT NULL,
        tries INTEGER NOT NULL, rated_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX puzzles_by_rating ON puzzles (variant, chess960, rating);
    CREATE TABLE puzzle_games (_id TEXT PRIMARY KEY NOT NULL, variant TEXT NOT NULL, at INTEGER NOT NULL)
    STRICT, WITHOUT ROWID;
    CREATE TABLE puzzle_tries (
        _id TEXT PRIMARY KEY NOT NULL, owner TEXT NOT NULL, puzzle TEXT NOT NULL, solved INTEGER NOT NULL,
        at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX puzzle_tries_by_owner ON puzzle_tries (owner, puzzle);
    CREATE INDEX puzzle_tries_by_puzzle ON puzzle_tries (puzzle);
    CREATE TABLE puzzle_standings (
        _id TEXT PRIMARY KEY NOT NULL, owner TEXT NOT NULL, variant TEXT NOT NULL, chess960 INTEGER NOT NULL,
        solved INTEGER NOT NULL, streak INTEGER NOT NULL, best INTEGER NOT NULL, rating INTEGER NOT NULL,
        deviation INTEGER NOT NULL, volatility INTEGER NOT NULL, tries INTEGER NOT NULL, rated_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX puzzle_standings_by_owner ON puzzle_standings (owner);
    """,
    # explorer: counts of moves by position; `unexplored` names the games that are still to be counted.
    """
    CREATE TABLE unexplored (game TEXT PRIMARY KEY NOT NULL) STRICT, WITHOUT ROWID;
    INSERT INTO unexplored
    SELECT id FROM
    (SELECT id, CASE WHEN json_valid(CAST(head AS TEXT)) THEN CAST(head AS TEXT) ELSE '{}' END AS head FROM games)
    WHERE json_extract(head, '$.status') = 'over' AND json_extract(head, '$.result') IN ('1-0', '1/2-1/2', '0-1')
    AND ifnull(json_extract(head, '$.imported'), 0) = 0;
    CREATE TABLE explorer (
        position TEXT NOT NULL, move TEXT NOT NULL, white INTEGER NOT NULL, draws INTEGER NOT NULL,
        black INTEGER NOT NULL, rated INTEGER NOT NULL, ratings INTEGER NOT NULL, last TEXT NOT NULL,
        best TEXT NOT NULL, PRIMARY KEY (position, move)
    ) STRICT, WITHOUT ROWID;
    """,
    # studies: what somebody keeps of their analyses; `chapters` are the ids of its chapters, in order.
    """
    CREATE TABLE studies (
        _id TEXT PRIMARY KEY NOT NULL, owner TEXT NOT NULL, name TEXT NOT NULL, chapters TEXT NOT NULL,
        created INTEGER NOT NULL, changed INTEGER NOT NULL, shared INTEGER NOT NULL, rev INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX studies_by_owner ON studies (owner, changed);
    CREATE TABLE study_chapters (
        _id TEXT PRIMARY KEY NOT NULL, study TEXT NOT NULL, owner TEXT NOT NULL, name TEXT NOT NULL,
        variant TEXT NOT NULL, chess960 INTEGER NOT NULL, rev INTEGER NOT NULL, size INTEGER NOT NULL,
        pgn TEXT NOT NULL
    ) STRICT;
    CREATE INDEX study_chapters_by_study ON study_chapters (study);
    CREATE INDEX study_chapters_by_owner ON study_chapters (owner, size);
    """,
    # generation: how often an account has had a new password; what was opened before the last one is good no more.
    """
    ALTER TABLE accounts ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tokens ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
    """,
    # at: when the browser was subscribed.
    "ALTER TABLE devices ADD COLUMN at INTEGER NOT NULL DEFAULT 0;",
    # browser: which one opened the session, and on which system, for its owner to know it by.
    "ALTER TABLE sessions ADD COLUMN browser TEXT NOT NULL DEFAULT '';",
    # study_members: whom the owner of a study has invited to read it or to write in it.
    """
    CREATE TABLE study_members (
        _id TEXT PRIMARY KEY NOT NULL, study TEXT NOT NULL, owner TEXT NOT NULL, person TEXT NOT NULL,
        name TEXT NOT NULL, role TEXT NOT NULL, at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX study_members_by_study ON study_members (study, at);
    CREATE INDEX study_members_by_owner ON study_members (owner);
    CREATE INDEX study_members_by_person ON study_members (person, at);
    """,
    # lowest, highest: the ratings that an opponent may have.
    """
    ALTER TABLE seeks ADD COLUMN lowest INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE seeks ADD COLUMN highest INTEGER NOT NULL DEFAULT 0;
    """,
    # desk, desk_log: who has which role at the host's desk, and what was done there.
    """
    CREATE TABLE desk (
        _id TEXT PRIMARY KEY NOT NULL, roles TEXT NOT NULL, claim TEXT NOT NULL, claim_until INTEGER NOT NULL,
        rev INTEGER NOT NULL, entry TEXT NOT NULL, at INTEGER NOT NULL, author TEXT NOT NULL, author_name TEXT NOT NULL,
        deed TEXT NOT NULL, about TEXT NOT NULL, about_name TEXT NOT NULL, detail TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE desk_log (
        _id TEXT PRIMARY KEY NOT NULL, at INTEGER NOT NULL, author TEXT NOT NULL, author_name TEXT NOT NULL,
        deed TEXT NOT NULL, about TEXT NOT NULL, about_name TEXT NOT NULL, detail TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX desk_log_by_at ON desk_log (at, _id);
    CREATE INDEX desk_log_by_author ON desk_log (author);
    CREATE INDEX desk_log_by_about ON desk_log (about);
    """,
    # tournaments, tournament_entrants, tournament_waves, tournament_results: what they are, and who has played whom.
    """
    CREATE TABLE tournaments (
        _id TEXT PRIMARY KEY NOT NULL, owner TEXT NOT NULL, owner_name TEXT NOT NULL, name TEXT NOT NULL,
        format TEXT NOT NULL, variant TEXT NOT NULL, chess960 INTEGER NOT NULL, initial INTEGER NOT NULL,
        increment INTEGER NOT NULL, rated INTEGER NOT NULL, starts INTEGER NOT NULL, minutes INTEGER NOT NULL,
        scoring TEXT NOT NULL, berserk INTEGER NOT NULL, late INTEGER NOT NULL, lowest INTEGER NOT NULL,
        highest INTEGER NOT NULL, created INTEGER NOT NULL, ends INTEGER NOT NULL, over INTEGER NOT NULL,
        called_off INTEGER NOT NULL, node TEXT NOT NULL, leased INTEGER NOT NULL, term INTEGER NOT NULL,
        rev INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX tournaments_by_over ON tournaments (over, starts);
    CREATE INDEX tournaments_by_owner ON tournaments (owner, created);
    CREATE TABLE tournament_entrants (
        _id TEXT PRIMARY KEY NOT NULL, tournament TEXT NOT NULL, owner TEXT NOT NULL, name TEXT NOT NULL,
        rating INTEGER NOT NULL, provisional INTEGER NOT NULL, joined INTEGER NOT NULL, standing TEXT NOT NULL,
        at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX tournament_entrants_by_tournament ON tournament_entrants (tournament, joined);
    CREATE INDEX tournament_entrants_by_owner ON tournament_entrants (owner);
    CREATE TABLE tournament_waves (
        _id TEXT PRIMARY KEY NOT NULL, tournament TEXT NOT NULL, wave INTEGER NOT NULL, at INTEGER NOT NULL,
        pairs TEXT NOT NULL
    ) STRICT;
    CREATE INDEX tournament_waves_by_tournament ON tournament_waves (tournament, wave);
    CREATE TABLE tournament_results (
        _id TEXT PRIMARY KEY NOT NULL, tournament TEXT NOT NULL, wave INTEGER NOT NULL, board INTEGER NOT NULL,
        white TEXT NOT NULL, black TEXT NOT NULL, at INTEGER NOT NULL, winner TEXT NOT NULL, plies INTEGER NOT NULL,
        ended INTEGER NOT NULL, absent TEXT NOT NULL, void INTEGER NOT NULL, berserk TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX tournament_results_by_tournament ON tournament_results (tournament, wave);
    """,
    # site_settings: what the host has changed while the site runs. invitations, invited, join_requests: who may join.
    """
    CREATE TABLE site_settings (
        _id TEXT PRIMARY KEY NOT NULL, chosen TEXT NOT NULL, rev INTEGER NOT NULL, entry TEXT NOT NULL,
        at INTEGER NOT NULL, author TEXT NOT NULL, author_name TEXT NOT NULL, deed TEXT NOT NULL, about TEXT NOT NULL,
        about_name TEXT NOT NULL, detail TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE invitations (
        _id TEXT PRIMARY KEY NOT NULL, note TEXT NOT NULL, author TEXT NOT NULL, author_name TEXT NOT NULL,
        uses INTEGER NOT NULL, made INTEGER NOT NULL, until INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX invitations_by_until ON invitations (until, _id);
    CREATE TABLE invited (
        _id TEXT PRIMARY KEY NOT NULL, code TEXT NOT NULL, number INTEGER NOT NULL, owner TEXT NOT NULL,
        name TEXT NOT NULL, at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX invited_by_code ON invited (code, number);
    CREATE INDEX invited_by_owner ON invited (owner);
    CREATE TABLE join_requests (
        _id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, password TEXT NOT NULL, words TEXT NOT NULL,
        asked INTEGER NOT NULL, mailbox TEXT NOT NULL, language TEXT NOT NULL, answer TEXT NOT NULL,
        author TEXT NOT NULL, author_name TEXT NOT NULL, answered INTEGER NOT NULL, reason TEXT NOT NULL,
        rev INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX join_requests_by_answer ON join_requests (answer, asked, _id);
    CREATE INDEX join_requests_by_answered ON join_requests (answer, answered, _id);
    """,
    # sanctions: what the host has decided about people; guest_networks: from where guests came lately, as a keyed
    # hash; blocked_networks: from where no new ones come. lines: what was said before a report; outcome: what came of
    # it. report_cases: who looks into the reports about a person. held_words: what is not said on this site.
    """
    CREATE TABLE sanctions (
        _id TEXT PRIMARY KEY NOT NULL, owner TEXT NOT NULL, owner_name TEXT NOT NULL, measure TEXT NOT NULL,
        reason TEXT NOT NULL, words TEXT NOT NULL, place TEXT NOT NULL, author TEXT NOT NULL,
        author_name TEXT NOT NULL, at INTEGER NOT NULL, until INTEGER NOT NULL, ended INTEGER NOT NULL,
        seen INTEGER NOT NULL, appeal TEXT NOT NULL, appealed INTEGER NOT NULL, answered INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sanctions_by_owner ON sanctions (owner);
    CREATE INDEX sanctions_by_ended ON sanctions (ended);
    CREATE INDEX sanctions_by_at ON sanctions (at);
    CREATE TABLE guest_networks (
        _id TEXT PRIMARY KEY NOT NULL, network TEXT NOT NULL, at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX guest_networks_by_at ON guest_networks (at);
    CREATE TABLE blocked_networks (
        _id TEXT PRIMARY KEY NOT NULL, sanction TEXT NOT NULL, until INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX blocked_networks_by_sanction ON blocked_networks (sanction);
    CREATE INDEX blocked_networks_by_until ON blocked_networks (until);
    ALTER TABLE reports ADD COLUMN lines TEXT NOT NULL DEFAULT '';
    ALTER TABLE reports ADD COLUMN outcome TEXT NOT NULL DEFAULT '';
    CREATE TABLE report_cases (
        _id TEXT PRIMARY KEY NOT NULL, taker TEXT NOT NULL, taker_name TEXT NOT NULL, until INTEGER NOT NULL,
        rev INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX report_cases_by_taker ON report_cases (taker);
    CREATE INDEX report_cases_by_until ON report_cases (until);
    CREATE TABLE held_words (
        _id TEXT PRIMARY KEY NOT NULL, words TEXT NOT NULL, rev INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX chat_by_at ON chat (at);
    """,
    # network: from where somebody asked to join, as a keyed hash; untold: is the answer still to be mailed?
    """
    ALTER TABLE join_requests ADD COLUMN network TEXT NOT NULL DEFAULT '';
    ALTER TABLE join_requests ADD COLUMN untold INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX join_requests_by_network ON join_requests (network);
    CREATE INDEX join_requests_by_untold ON join_requests (untold, answered, _id);
    """,
    # winner: of a tournament that is over. made: were all games of a wave made?
    """
    ALTER TABLE tournaments ADD COLUMN winner TEXT NOT NULL DEFAULT '';
    ALTER TABLE tournaments ADD COLUMN winner_name TEXT NOT NULL DEFAULT '';
    ALTER TABLE tournament_waves ADD COLUMN made INTEGER NOT NULL DEFAULT 1;
    CREATE INDEX tournaments_by_open ON tournaments (owner, over);
    CREATE INDEX tournaments_by_winner ON tournaments (winner, over);
    CREATE INDEX tournament_entrants_by_standing ON tournament_entrants (tournament, standing);
    """,
    # rounds, rest_s, called: of a tournament in rounds, how many, seconds between two, and the last begun by hand.
    """
    ALTER TABLE tournaments ADD COLUMN rounds INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tournaments ADD COLUMN rest_s INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tournaments ADD COLUMN called INTEGER NOT NULL DEFAULT 0;
    """,
    # no_show_s: seconds to come to the board. tournament_acts: what organisers have done.
    """
    ALTER TABLE tournaments ADD COLUMN no_show_s INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE tournament_acts (
        _id TEXT PRIMARY KEY NOT NULL, tournament TEXT NOT NULL, owner TEXT NOT NULL, name TEXT NOT NULL,
        kind TEXT NOT NULL, about TEXT NOT NULL, number INTEGER NOT NULL, said TEXT NOT NULL, at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX tournament_acts_by_tournament ON tournament_acts (tournament, at);
    CREATE INDEX tournament_acts_by_owner ON tournament_acts (owner);
    """,
    # restarts: when the site is to be restarted, by a notice that says so.
    """
    ALTER TABLE notices ADD COLUMN restarts INTEGER NOT NULL DEFAULT 0;
    """,
    # days, size, twice, go_on: of a section of everyone against everyone; event, stage, section, led_to: its place.
    # dates: when rounds after the first begin; ties: what decides where points are equal; apart: who are not paired.
    # news_at: when players are told something next. format, place, of_all, points, ended: what an entrant has come to.
    # kept_out: keyed hashes of the addresses of people who were shut out when their account was deleted.
    """
    ALTER TABLE tournaments ADD COLUMN days INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tournaments ADD COLUMN size INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tournaments ADD COLUMN twice INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tournaments ADD COLUMN go_on INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tournaments ADD COLUMN event TEXT NOT NULL DEFAULT '';
    ALTER TABLE tournaments ADD COLUMN stage INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tournaments ADD COLUMN section INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tournaments ADD COLUMN led_to TEXT NOT NULL DEFAULT '';
    CREATE INDEX tournaments_by_called ON tournaments (over, starts, called, created);
    CREATE INDEX tournaments_by_event ON tournaments (event, stage, section);
    ALTER TABLE tournaments ADD COLUMN dates TEXT NOT NULL DEFAULT '';
    ALTER TABLE tournaments ADD COLUMN ties TEXT NOT NULL DEFAULT '';
    ALTER TABLE tournaments ADD COLUMN apart TEXT NOT NULL DEFAULT '';
    ALTER TABLE tournaments ADD COLUMN news_at INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX tournaments_by_news ON tournaments (news_at);
    ALTER TABLE tournament_entrants ADD COLUMN format TEXT NOT NULL DEFAULT '';
    ALTER TABLE tournament_entrants ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tournament_entrants ADD COLUMN of_all INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tournament_entrants ADD COLUMN points INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tournament_entrants ADD COLUMN ended INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX tournament_entrants_by_format ON tournament_entrants (owner, format, ended);
    CREATE TABLE kept_out (_id TEXT PRIMARY KEY NOT NULL, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE INDEX kept_out_by_until ON kept_out (until);
    """,
)

CHANGE = re.compile(
    r"CREATE (?P<kind>TABLE|INDEX) (?P<made>\w+)|ALTER TABLE (?P<table>\w+) ADD COLUMN (?P<column>\w+)"
    r"|^\s*(?:UPDATE|DELETE FROM|INSERT(?: OR \w+)? INTO) (?P<changed>\w+)",
    re.MULTILINE,
)


def steps_from(version: int) -> Sequence[str]:
    """A line for each step from a file of that version to one of this release; none if it has it already."""
    return [f"{number}: {', '.join(_told(script))}" for number, script in enumerate(SCRIPTS, 1) if number > version]


def _told(script: str) -> Sequence[str]:
    told = []
    for found in CHANGE.finditer(script):
        if found["made"]:
            told.append(f"new {found['kind'].lower()} {found['made']}")
        elif found["column"]:
            told.append(f"new column {found['column']} in {found['table']}")
        else:
            told.append(f"rows of {found['changed']}")
    return told
