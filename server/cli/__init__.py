"""The host's commands on a site, with the server running or stopped. No part of the server imports it."""
