"""``python -m storelaw`` is the command line."""

from storelaw.cli import main

if __name__ == "__main__":
    main()
