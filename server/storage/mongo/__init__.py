"""The engine for several servers. The only place that knows motor and pymongo; knows nothing of the other engine."""
