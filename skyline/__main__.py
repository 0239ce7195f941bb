"""`python -m skyline` is the command `skyline`."""

from __future__ import annotations

from skyline.cli.main import main

main()
