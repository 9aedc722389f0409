"""Studies: what people keep of their analyses, who may read and change it, and how much there may be.

Judges no move: a chapter is a text here.
"""
