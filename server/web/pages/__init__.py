"""The pages that belong to no other folder."""
