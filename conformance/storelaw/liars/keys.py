"""Liars about keys of several parts."""

from typing import Any, TypeAlias

from storelaw.liars.honest import MANIFEST, HonestMedium, HonestStore, Log, claiming
from storelaw.liars.isolation import names
from storelaw.liars.registry import liar
from storelaw.manifest import Manifest

Parts: TypeAlias = tuple[str, ...]


def keyed(name: str) -> Manifest:
    """The claims of a store whose keys are a project, a session and perhaps a subpath."""
    return claiming(
        MANIFEST, name=name, key_parts=("project", "session", "subpath"), optional_parts=1
    )


class KeyedStore(HonestStore):
    """Keeps logs under something made of a key, and lists the keys themselves."""

    def made(self, key: Parts) -> object:
        """What stands for a key in the medium."""
        return key

    def key(self, session: Any) -> Any:
        return self.made(tuple(session))

    def writable(self, session: Any, entries: Any) -> Log:
        log = super().writable(session, entries)
        log.record[session] = True
        return log

    def list_sessions(self, *prefix: str) -> list[Any]:
        self.usable()
        written = [tuple(name) for each in self.data.logs.values() for name in names(each)]
        return [each for each in written if self.listed(each, prefix)]

    def listed(self, key: Parts, prefix: Parts) -> bool:
        """Whether a key is listed under a prefix."""
        return key[: len(prefix)] == prefix

    def doomed(self, session: Any) -> list[Any]:
        return [
            made
            for made, log in self.data.logs.items()
            if any(self.goes(tuple(name), tuple(session)) for name in log.record)
        ]

    def goes(self, key: Parts, deleted: Parts) -> bool:
        """Whether a key goes when another is deleted."""
        return key[: len(deleted)] == deleted


@liar(
    "every_part_of_a_key_counts",
    also=[
        "key_parts_that_differ_in_case_are_different",
        "key_parts_are_not_read_as_paths",
        "deleting_a_key_leaves_what_shares_its_beginning",
    ],
    kinds=["F51"],
    most=2,
)
class IgnoresTheProject(HonestMedium):
    """Finds a session by its id alone."""

    manifest = keyed("ignores-the-project")

    class store(KeyedStore):
        def made(self, key: Parts) -> object:
            return key[1:]


@liar(
    "key_parts_that_differ_in_case_are_different",
    kinds=["F54"],
    mutants=["project key compared without case"],
    most=2,
)
class FoldsTheProject(HonestMedium):
    """Compares projects without case."""

    manifest = keyed("folds-the-project")

    class store(KeyedStore):
        def made(self, key: Parts) -> object:
            return (key[0].lower(), *key[1:])


@liar(
    "key_parts_are_never_joined_unescaped",
    kinds=["F52"],
    mutants=["key parts joined by / unescaped"],
    most=2,
)
class JoinsBySlash(HonestMedium):
    """Joins the parts by slashes."""

    manifest = keyed("joins-by-slash")

    class store(KeyedStore):
        def made(self, key: Parts) -> object:
            return "/".join(key)


@liar("key_parts_are_never_joined_unescaped", kinds=["F52"], most=2)
class JoinsByUnitSeparator(HonestMedium):
    """Joins the parts by a control character that it takes for safe."""

    manifest = keyed("joins-by-unit-separator")

    class store(KeyedStore):
        def made(self, key: Parts) -> object:
            return "\x1f".join(key)


@liar(
    "key_parts_are_not_read_as_paths",
    kinds=["F55"],
    mutants=["subpath normalised as a path"],
    most=2,
)
class NormalisesSubpaths(HonestMedium):
    """Drops the segments of a subpath that lead nowhere."""

    manifest = keyed("normalises-subpaths")

    class store(KeyedStore):
        def made(self, key: Parts) -> object:
            return (
                *key[:2],
                *("/".join(e for e in p.split("/") if e not in ("", ".")) for p in key[2:]),
            )


@liar("a_shorter_key_is_a_session_of_its_own", kinds=["F51"], most=2)
class FillsInTheSubpath(HonestMedium):
    """Fills in the name of the part that is left out."""

    manifest = keyed("fills-in-the-subpath")

    class store(KeyedStore):
        def made(self, key: Parts) -> object:
            return (*key, "subpath")[:3]


@liar(
    "deleting_a_key_takes_what_lies_under_it",
    kinds=["F57"],
    mutants=["delete leaves subkeys"],
    most=3,
)
class LeavesSubkeys(HonestMedium):
    """Deletes the one row of the key."""

    manifest = keyed("leaves-subkeys")

    class store(KeyedStore):
        def goes(self, key: Parts, deleted: Parts) -> bool:
            return key == deleted


@liar(
    "deleting_a_key_leaves_what_shares_its_beginning",
    also=["deleting_a_session_leaves_ids_that_begin_with_its_id"],
    kinds=["F53"],
    mutants=["deleting subpath agent-1 takes agent-10"],
    most=4,
)
class DeletesByBeginning(HonestMedium):
    """Deletes every key that begins with the same text."""

    manifest = keyed("deletes-by-beginning")

    class store(KeyedStore):
        def goes(self, key: Parts, deleted: Parts) -> bool:
            last = len(deleted) - 1
            return key[:last] == deleted[:last] and "/".join(key[last:]).startswith(deleted[last])


@liar("listing_under_a_prefix_is_exact", kinds=["F53"], most=2)
class ListsByBeginning(HonestMedium):
    """Lists every key whose text begins with the prefix."""

    manifest = keyed("lists-by-beginning")

    class store(KeyedStore):
        def listed(self, key: Parts, prefix: Parts) -> bool:
            return "/".join(key).startswith("/".join(prefix))
