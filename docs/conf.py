"""How the documentation is built: `tox run -e docs`."""

import sys
from pathlib import Path

from storelaw.release import __version__

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

project = "storelaw"
version = release = __version__
project_copyright = "the authors of storelaw"

extensions = ["myst_parser", "storelaw_pages"]
exclude_patterns = ["_extensions"]
nitpicky = True

myst_enable_extensions = ["attrs_block", "colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 3
# Every name is a label of ours; other domains would only be asked in vain, 8,000 times.
myst_ref_domains = ["std"]

html_theme = "furo"
html_title = f"storelaw {release}"
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_copy_source = False
html_show_sphinx = False
# A search must work from a folder too, where a browser may fetch no page for its summary.
html_show_search_summary = False
