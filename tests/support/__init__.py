"""What tests of several folders, or many files of one, import. Nothing here is a test; no test imports another test."""
