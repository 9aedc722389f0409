"""Defences of studies, switched off: who may read and change them, and what two tabs may do to each other."""

from tests.faults.mutant import Mutant

FINDING = "server/web/studies/finding.py"
CHAPTERS = "server/web/studies/chapters.py"
STUDY = "server/games/studies/study.py"
KEPT = "tests/storage/every_store/people/test_studies_kept.py"
ASKED = "tests/web/studies/test_studies.py"

OF_STUDIES: tuple[Mutant, ...] = (
    Mutant(
        "a private study is read by whoever has its id",
        STUDY,
        "return self.shared or self.is_of(person)",
        "return True",
        ASKED,
    ),
    Mutant("whoever reads a study changes it", FINDING, "    if not mine:\n", "    if False:\n", ASKED),
    Mutant(
        "a guest keeps studies",
        FINDING,
        "site.sessions.member(request)",
        "site.sessions.find(request)",
        ASKED,
    ),
    Mutant(
        "a chapter is read through another study",
        FINDING,
        "studies.chapter(chapter) if chapter in study.chapters else None\n"
        "    if found is None or found.chapter.study != study.id:",
        "studies.chapter(chapter)\n    if found is None:",
        ASKED,
    ),
    Mutant(
        "of two tabs the second overwrites the first",
        "server/storage/sqlite/studies.py",
        """WHERE _id = ? AND rev = ?"
    return connection.execute(query, (*fields.values(), fields["_id"], fields["rev"] - 1))""",
        """WHERE _id = ?"
    return connection.execute(query, (*fields.values(), fields["_id"]))""",
        KEPT,
    ),
    Mutant(
        "and with MongoDB, too",
        "server/storage/mongo/studies.py",
        'before = {"_id": fields.pop("_id"), "rev": fields["rev"] - 1}',
        'before = {"_id": fields.pop("_id")}',
        KEPT,
    ),
    Mutant(
        "the second tab is not told",
        CHAPTERS,
        "    if not await site.store.studies.save(written, site.now()) and found != written:\n",
        "    if not await site.store.studies.save(written, site.now()) and False:\n",
        ASKED,
    ),
    Mutant(
        "a chapter is larger than the board can show",
        "server/web/studies/writing.py",
        "    if len(steps) > LONGEST_LINE:\n",
        "    if False:\n",
        ASKED,
    ),
    Mutant(
        "somebody keeps ever more",
        STUDY,
        "    if more > 0 and stored + more > MAX_BYTES:\n",
        "    if False:\n",
        ASKED,
    ),
    Mutant(
        "studies outlive the account",
        "server/realtime/account_merges.py",
        "            await store.studies.forget(merge.user)\n",
        "",
        ASKED,
    ),
)
