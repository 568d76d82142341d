"""What a manifest must not say, if the laws of the session door are to mean anything."""

from storelaw.clauses import Applies, all_of
from storelaw.manifest import Manifest

#: The length of the ids that the reference session draws.
DRAWN = 16


def carries_sessions(manifest: Manifest) -> str | None:
    """Why a store can't hold the chain of a session, by its own manifest; or ``None``.

    A chain needs every entry kept, under the id that the session gave it.
    """
    if manifest.keep is not None:
        return f"the store keeps {manifest.keep} {manifest.keep_unit} only, so parents are cut off"
    if manifest.contract.ids in ("minted", "number"):
        return "the store replaces the ids that the session draws"
    if manifest.max_id is not None and manifest.max_id < DRAWN:
        return f"the store's ids have at most {manifest.max_id} characters"
    return None


def unless(option: str, *values: str) -> Applies:
    """Outside the law where an option of the profile is declared as one of these values."""

    def applies(manifest: Manifest) -> str | None:
        declared = manifest.options.get(option)
        return f"option {option} is {declared}" if declared in values else None

    return applies


def sessions_unless(option: str, *values: str) -> Applies:
    """Both :func:`carries_sessions` and :func:`unless`."""
    return all_of(carries_sessions, unless(option, *values))
