"""The rules pages: one page for each variant, as HTML and as plain text, both from one structure without markup."""
