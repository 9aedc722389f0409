"""The chat of a round: who may write what and how often, and who reads it."""
