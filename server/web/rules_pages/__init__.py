"""The rules pages: one page for each variant, as HTML and as plain text, both from one structure without markup.

Names no variant: every sentence follows from the variant's data, but for the prose that people wrote.
"""
