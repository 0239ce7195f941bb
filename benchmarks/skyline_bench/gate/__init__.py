"""The gate: no core layer may be slower than at the base commit.

check         compares both commits, as processes that take turns; serve: such a process
prove         shows that the gate is red for a slowed rule and green for a comment
tricks        measures what the tricks of the core that use private parts of numba are worth
"""
