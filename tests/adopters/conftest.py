"""The packages below are projects of their own, whose tests are run from outside."""

from pathlib import Path

collect_ignore = [each.name for each in Path(__file__).parent.iterdir() if each.is_dir()]
