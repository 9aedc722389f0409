"""Pictures of every page, to be looked at by people. Checks nothing."""
