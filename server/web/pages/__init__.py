"""The pages that belong to no other folder: home, game, TV, settings.

A page with a part of the site to itself gets a folder for it.
"""
