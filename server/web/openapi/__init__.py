"""The HTTP API described for programs and people, from what stands beside each handler. Checks no request."""
