"""Games in play for people who look at many at once. Knows no round and no lobby."""
