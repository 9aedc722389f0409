"""A site with mail: `mailing` runs what is sent, `replying` what is taken."""
