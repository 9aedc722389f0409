"""What is to be seen on every board, made invisible."""

from tests.faults.mutant import Mutant

CONTRAST = "tests/pictures/test_contrast.py"

OF_LOOKS: tuple[Mutant, ...] = (
    Mutant(
        "white pieces stand on squares as light as they are",
        "server/pictures/boards.json",
        '"light": "#d8c5a1"',
        '"light": "#f4ead6"',
        CONTRAST,
    ),
    Mutant(
        "planned moves are too pale for the darkest squares",
        "static/css/game/marks.css",
        "  --plan: #0e2f55;\n",
        "  --plan: #3f6fa8;\n",
        CONTRAST,
    ),
    Mutant(
        "the tint of what is picked up swallows its corners",
        "static/css/game/marks.css",
        "  --chosen: #17644f21;\n",
        "  --chosen: #17644fa6;\n",
        CONTRAST,
    ),
    Mutant(
        "coordinates are too pale to be read",
        "server/pictures/theme.py",
        'COORDINATES = "#04120c"\n',
        'COORDINATES = "#2f4a3e"\n',
        CONTRAST,
    ),
    Mutant(
        "a dropped piece is marked as if it had left its square",
        "server/pictures/scene.py",
        "        return self.moved[0] if len(self.moved) > 1 else None\n",
        "        return self.moved[0] if self.moved else None\n",
        "tests/pictures/test_board.py::test_a_move_has_a_dashed_and_a_whole_frame_and_a_drop_a_whole_one",
    ),
)
