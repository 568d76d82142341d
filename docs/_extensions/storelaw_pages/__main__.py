"""``python -m storelaw_pages FOLDER``: check the links of a built site."""

import sys

from storelaw_pages.links import main

sys.exit(main())
