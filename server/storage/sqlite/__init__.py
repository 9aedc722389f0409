"""The embedded engine: one file. The only place that knows sqlite3; knows nothing of the other engine."""
