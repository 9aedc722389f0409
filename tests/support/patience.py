"""How long tests wait for what has to come: only a hang should end a wait, however much else the machine does."""

PATIENCE_S = 60
PATIENCE_MS = 1_000 * PATIENCE_S
