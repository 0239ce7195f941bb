"""Bounds that the cross-game tests ask for."""

STATE_BYTES = 1024  # of a state record
