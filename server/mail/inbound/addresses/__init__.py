"""The signed addresses that people write to: for one seat in one turn, and for one person."""
