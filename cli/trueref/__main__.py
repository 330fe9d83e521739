"""`python -m trueref`."""

from trueref.cli import main

if __name__ == "__main__":
    main()
