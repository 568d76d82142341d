"""The laws of session stores, one item for each."""

import storelaw
from acme.testing import AcmeMedium

test_acme = storelaw.laws(AcmeMedium, waivers="waivers.toml")
