"""The gate: no core layer may be slower than at the base commit.

check         both commits as processes that take turns; serve: such a process
prove         that the gate is red for a slowed rule and green for a comment
tricks        what the tricks of the core that use private parts of numba are worth
"""
