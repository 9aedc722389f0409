"""The people of the site: accounts and their pages, profiles, leaderboards."""
