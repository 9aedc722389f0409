"""Pictures of the rules as values: what stands on a board and which squares are marked, each mark proved by moves."""
