"""The size of a state, which tests/skyline/test_speed.py checks."""

STATE_BYTES = 1544  # the largest state record
