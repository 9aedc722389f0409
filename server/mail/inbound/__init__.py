"""Mail that people write to the site: a reply becomes commands of the seat that it was written to.

A command by mail goes through the same rounds as one of an open page; no rule is bent or added here.
"""
