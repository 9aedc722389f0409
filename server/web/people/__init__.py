"""People of the site: accounts and their pages, profiles, leaders."""
