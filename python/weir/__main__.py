"""`python -m weir` is the program `weir`."""

from .command import main

main()
