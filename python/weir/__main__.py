"""`python -m weir` runs the command `weir`."""

from .command import main

main()
