"""People at real browsers, and what they see."""
