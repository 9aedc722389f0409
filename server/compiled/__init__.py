"""What a move passes through as machine code: an option for hosts with a C compiler.

`make fast` makes it, `finding` has Python take it in place of the sources, as long as it was made of them. Everything
works the same without it. Knows no rule.
"""
