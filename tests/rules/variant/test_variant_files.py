"""Variant files: inheritance, a host's own folder, and what is refused with file, key and reason."""

import json

import pytest

from server.language import about_variant_file
from server.rules.catalogue import UNOFFERED, load_catalogue
from server.rules.errors import InvalidVariant
from server.rules.lesson.lessons import load_lessons
from server.rules.movegen import tables
from server.rules.notation.fen import start_position
from server.rules.variant.rule_data import describe, rule_data
from tests.support.rules.boards import after, ucis

TEXTS = 'name = "Berolina"\ntagline = "Pawns aslant."\ndifferences = ["One.", "Two."]\n'


def load(folder, text, name="berolina"):
    (folder / f"{name}.toml").write_text(text)
    return load_catalogue(folder, unoffered=True)


def test_the_built_in_variants_are_in_order_of_display():
    ids = "chess crazyhouse placement capablanca capahouse gothic grand grandhouse seirawan shouse shogun acedrex"
    assert list(load_catalogue()) == [*ids.split(), "kingofthehill", "3check"]


def test_variants_that_no_site_offers_are_known_only_to_who_asks_for_them(variants):
    more = set(variants) - set(load_catalogue())
    assert more == {path.stem for path in UNOFFERED.glob("*.toml")}


def test_a_host_puts_a_file_of_such_a_name_on_the_site(tmp_path):
    (tmp_path / "janus.toml").write_text((UNOFFERED / "janus.toml").read_text())
    assert "janus" in load_catalogue(tmp_path)
    own = TEXTS + 'parent = "chess"'
    (tmp_path / "janus.toml").write_text(own)
    assert load_catalogue(tmp_path, unoffered=True)["janus"].name == "Berolina"


def test_no_rules_are_compiled_before_somebody_needs_them():
    before = len(tables._made)
    variants = load_catalogue()
    load_lessons(variants)
    assert len(tables._made) == before
    start_position(variants["chess"])
    assert len(tables._made) == before + 1


def test_a_host_adds_a_file_and_it_is_playable(tmp_path):
    variants = load(tmp_path, TEXTS + 'parent = "chess"\n[roles.p]\nmove = "mfFcfWifmF2"\n')
    position = start_position(variants["berolina"])
    assert ucis(position, "e2") == {"e2d3", "e2f3", "e2c4", "e2g4"}
    assert variants["berolina"].endings == variants["chess"].endings


def test_a_child_may_take_a_table_away(tmp_path):
    variants = load(tmp_path, TEXTS + 'parent = "chess"\nchess960 = false\ncastling = false\n')
    assert variants["berolina"].castling is None


def test_a_small_board_with_another_army(tmp_path):
    text = """
        parent = "crazyhouse"
        files = 5
        ranks = 5
        start = "rwbqk/ppppp/5/PPPPP/RWBQK[] w - - 0 1"
        chess960 = false
        castling = false
        [roles]
        n = false
        w = { name = "wizard", move = "FC" }
        p = { move = "fmWfcF", initial = [] }
        [promotion.p]
        ranks = [5]
        forced = [5]
        to = ["q", "w"]
        [pocket]
        order = "qrbwp"
        ranks = { p = [2, 3, 4] }
    """
    position = start_position(load(tmp_path, TEXTS + text)["berolina"])
    assert ucis(position) == {"a2a3", "b2b3", "c2c3", "d2d3", "e2e3", "b1a4", "b1c4"}
    dropping = after(position, "b2b3", "a4b3", "a2b3")
    assert ucis(dropping, "P@") == {"P@a4", "P@a3", "P@c3", "P@d3", "P@e3", "P@a2", "P@b2"}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('parent = "chess"\ncolour = 3', "colour"),
        ('parent = "chess"\n[roles.n]\nmove = "X"', "roles.n.move"),
        ('parent = "chess"\n[roles.n]\nmove = "RD"', "roles"),
        ('parent = "chess"\n[roles.n]\ncost = 3', "roles.n.cost"),
        ('parent = "chess"\n[roles.n]\nroyal = true', "roles"),
        ('parent = "chess"\ncastling = false\nchess960 = false\n[roles]\nk = false', "roles"),
        ('parent = "chess"\n[roles]\nq = false', "promotion.p.to"),
        ('parent = "chess"\n[roles.nn]\nname = "x"\nmove = "N"', "roles.nn"),
        ('parent = "chess"\n[roles.w]\nname = "wazir"\nmove = "W"\nsan = "N"', "roles.n"),
        ('parent = "chess"\nfiles = 99', "files"),
        ('parent = "chess"\nranks = true', "ranks"),
        ('parent = "chess"\nstart = "8/8 w - - 0 1"', "start"),
        (f'parent = "chess"\nstart = "k{"9" * 30}/8 w - - 0 1"', "start"),
        (f"x = {'[' * 5_000}", "file"),
        ('parent = "chess"\n[promotion.p]\nforced = [7]', "promotion.p.forced"),
        ('parent = "chess"\n[promotion.p]\nto = ["k"]', "promotion.p.to"),
        ('parent = "chess"\n[castling]\nking_from = "z"', "castling.king_from"),
        ('parent = "chess"\ncastling = false', "chess960"),
        ('parent = "chess"\ngates = "q"', "gates"),
        ('parent = "chess"\n[endings]\nstalemate = "lost"', "endings.stalemate"),
        ('parent = "chess"\nwithout_king = "red"', "without_king"),
        ('parent = "extinction"\nmay_not_check = true', "may_not_check"),
        ('parent = "3check"\nmay_not_check = true', "may_not_check"),
        ('parent = "chess"\nmust_capture = "always"', "must_capture"),
        ('parent = "extinction"\nexplodes = true', "explodes"),
        ('parent = "crazyhouse"\nexplodes = true', "explodes"),
        ('parent = "3check"\nexplodes = true', "explodes"),
        ('parent = "extinction"\nwithout_king = "white"', "without_king"),
        ('parent = "chess"\nwithout_king = "white"', "roles"),
        ('parent = "horde"\n[endings]\nchecks = 3', "endings"),
        ('parent = "horde"\n[castling]\nking = "q"', "castling.king"),
        ('parent = "horde"\n[roles.p]\nen_passant = [3]', "roles.p.en_passant"),
        ('parent = "extinction"\nchess960 = true', "chess960"),
        ('parent = "extinction"\n[endings.extinction]\nkinds = "kx"', "endings.extinction.kinds"),
        ('parent = "horde"\n[endings.extinction]\nkinds = "k"', "endings.extinction.kinds"),
        ('parent = "shatranj"\n[endings]\ninsufficient = true', "endings.extinction"),
        ('parent = "crazyhouse"\n[pocket.ranks]\np = [8]', "pocket.ranks"),
        ('parent = "crazyhouse"\n[pocket]\norder = "qrbp"', "pocket.order"),
        ('parent = "crazyhouse"\n[pocket]\norder = "qrbnpn"', "pocket.order"),
        ('parent = "seirawan"\ngates = "heh"', "gates"),
        ('parent = "chess"\n[endings]\ngoal = { ranks = [8] }', "endings.insufficient"),
        ('parent = "kingofthehill"\n[endings.goal]\nsquares = ["d4", "i1"]', "endings.goal.squares"),
        ('parent = "kingofthehill"\n[endings.goal]\nsquares = []', "endings.goal.squares"),
        ('parent = "kingofthehill"\n[endings.goal]\npiece = "x"', "endings.goal.piece"),
        ('parent = "kingofthehill"\n[endings.goal]\nranks = [9]', "endings.goal.ranks"),
        ('parent = "kingofthehill"\n[endings.goal]\npiece = "p"\nreply = true', "endings.goal.reply"),
        ('parent = "kingofthehill"\n[endings.goal]\nwins = true', "endings.goal.wins"),
        ('parent = "chess"\n[endings]\nchecks = 10', "endings.checks"),
        ('parent = "3check"\nstart = "4k3/8/8/8/8/8/8/4K3 w - - 4+3 0 1"', "start"),
        ('parent = "berolina"', "parent"),
        ('parent = "nowhere"', "parent"),
        ("parent = [", "file"),
        ('differences = ["One."]\nparent = "chess"', "file"),
    ],
)
def test_what_is_refused_names_the_key(tmp_path, text, key):
    with pytest.raises(InvalidVariant) as refusal:
        load(tmp_path, TEXTS + text)
    assert (refusal.value.file, refusal.value.key) == ("berolina.toml", key)
    assert refusal.value.reason


def test_a_key_that_must_be_there_is_called_missing(tmp_path):
    with pytest.raises(InvalidVariant, match=r"^berolina.toml: differences: is missing$"):
        load(tmp_path, 'parent = "chess"\nname = "Berolina"\ntagline = "Pawns turned round."')


def test_what_a_start_cannot_be_is_said_in_a_sentence(tmp_path):
    with pytest.raises(InvalidVariant) as refusal:
        load(tmp_path, f'{TEXTS}parent = "chess"\nstart = "KK6/8/8/8/8/8/8/k7 w - - 0 1"')
    assert about_variant_file(refusal.value) == (
        "A variant file cannot be used. berolina.toml: start: White must have exactly one king, not 2."
    )


def test_a_file_may_not_take_a_name_that_is_taken(tmp_path):
    with pytest.raises(InvalidVariant, match="exists already"):
        load(tmp_path, TEXTS + 'parent = "chess"', "chess")


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(InvalidVariant, match="no such folder"):
        load_catalogue(tmp_path / "nothing")


def test_every_variant_has_a_description_in_json(variants):
    for variant in variants.values():
        shape = json.loads(json.dumps(describe(variant)))
        assert shape["startFen"] == variant.start_fen
        assert 2 <= len(shape["differences"]) <= 5
        assert all(role["moves"] for role in shape["roles"].values())
        assert set(shape["drops"] or {}) <= set(shape["pocketRoles"])


def test_the_piece_that_castles_and_those_written_without_a_letter_are_described(tmp_path):
    castling = """
        parent = "chess"
        chess960 = false
        start = "qnbrkbnq/pppppppp/8/8/8/8/PPPPPPPP/QNBRKBNQ w KQkq - 0 1"
        [castling]
        rook = "q"
    """
    shape = describe(load(tmp_path, TEXTS + castling)["berolina"])
    assert shape["castling"]["rook"] == "q"
    assert [role for role, said in shape["roles"].items() if said["pawn"]] == ["p"]


def test_boards_are_told_the_squares_that_win_where_there_are_any(variants):
    assert describe(variants["kingofthehill"])["goals"] == ["d4", "e4", "d5", "e5"]
    assert "goals" not in describe(variants["chess"])
    assert "goals" not in describe(load_catalogue(unoffered=True)["orda"]), "each side has a rank of its own"


def test_boards_are_told_how_many_checks_win_where_they_are_counted(variants):
    assert describe(load_catalogue(unoffered=True)["3check"])["checks"] == 3
    assert "checks" not in describe(variants["chess"])


def test_a_bent_rider_is_described_step_by_step(variants):
    moves = describe(variants["acedrex"])["roles"]["a"]["moves"]
    assert {"steps": [[1, 1]], "max": 1, "mode": "both", "then": [[0, 1], [1, 0]]} in moves


@pytest.mark.parametrize(
    ("name", "pocket"),
    [("chess", "none"), ("shogun", "captures"), ("placement", "placement"), ("seirawan", "gating"),
     ("shouse", "gating+captures")],
)  # fmt: skip
def test_what_the_pocket_is_for(variants, name, pocket):
    assert describe(variants[name])["pocket"] == pocket


def test_what_no_board_shows_is_told_to_those_who_play_by_it(variants):
    data = json.loads(json.dumps([rule_data(variant) for variant in variants.values()]))
    rules = {one["id"]: one["rules"] for one in data}
    assert data[0].keys() - {"rules"} == describe(variants["chess"]).keys()
    assert rules["shogun"]["capturedAs"]["+f"] == "f"
    assert rules["grand"]["limits"] == {"q": 1, "a": 1, "c": 1, "r": 2, "b": 2, "n": 2}
    assert rules["placement"]["pairs"] == ["b"]
    assert rules["acedrex"]["endings"] == {
        "stalemateLoses": True,
        "stalemateWins": False,
        "bareKingLoses": True,
        "moveRule": 0,
        "repetition": 3,
        "insufficient": False,
        "goal": None,
        "checks": 0,
        "extinction": None,
    }
