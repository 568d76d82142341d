"""Freeze a version: ``python -m storelaw.specification VERSION FOLDER``."""

import sys
from pathlib import Path

from storelaw.specification import freezing

print(freezing.write(sys.argv[1], Path(sys.argv[2])))
