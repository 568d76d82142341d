"""Families of related ids: what engines trip over, side by side.

One family is drawn for each program, so that nearly every generated program holds a pair
of ids that a faulty store takes for one.
"""

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

from hypothesis import strategies as st

from storelaw.manifest import Manifest
from storelaw.program import Key

Family: TypeAlias = tuple[str, ...]

#: The longest id that is legal where a manifest says nothing.
LONGEST: Final = 128

_COMPOSED, _DECOMPOSED = "caf\u00e9", "cafe\u0301"
_LONG = "0123456789abcdef" * 6

#: The families, by the way in which their members are related.
FAMILIES: Final[Mapping[str, tuple[Family, ...]]] = {
    "case": (("tenant", "Tenant", "TENANT"), ("s\u00f8n", "S\u00d8N")),
    "blanks": (("s", "s ", "s  "), ("s", " s"), ("s", "s\u00a0"), ("s", "s\t"), ("s", "s\n")),
    "forms": ((_COMPOSED, _DECOMPOSED), ("\ufb01le", "file"), ("\uff41", "a"), ("\u2460", "1")),
    "wildcards": (
        ("a%", "ab"),
        ("a_", "ab"),
        ("a*", "ab"),
        ("a?", "ab"),
        ("[ab]", "a"),
        ("a.", "ab"),
    ),
    "prefixes": (("s1", "s10"), ("agent", "agent2"), ("a", "ab", "abc")),
    "separators": (
        ("a/b", "a:b", "a|b", "a-b", "a_b", "a.b", "a b", "a\\b"),
        ("a-b-c", "a/b/c", "a-b/c", "a/b-c"),
        ("a\x1fb", "a-b", "ab"),
    ),
    "tails": ((_LONG + "1", _LONG + "2"), (_LONG[:64], _LONG[:64] + "x", _LONG[:64] + "y")),
    "middles": (
        ("session-alpha-20260101", "session-bravo-20260101"),
        ("12345678-1-12345678", "12345678-2-12345678"),
    ),
    "paths": (("b", "./b", "a/../b", "b/", "b/.", "/b"), ("a/b", "a//b", "a/./b"), ("x", "../x")),
    "nul": (("a", "a\x00", "a\x00b", "a\x00c"),),
    "numbers": (("7", "07", "7.0", "+7", "7e0"), ("0", "00", "-0"), ("1", "True")),
    "scripts": (
        ("\u4f1a\u8bdd\u4e00", "\u4f1a\u8bdd\u4e8c"),
        ("\u0434\u043e\u043c", "\u0441\u0430\u0434"),
        ("\U0001f980", "\U0001f99e"),
    ),
    "plain": (("s", "t"), ("first", "second", "third")),
}

#: Ids that are plainly legal: no control, separator, wildcard, blank or twin among them.
LEGAL: Final[Family] = (
    "s",
    "7",
    "0b1c2d3e4f50617283940a1b2c3d4e5f",
    "\u4f1a\u8bdd",
    "\u0441\u0435\u0441\u0441\u0438\u044f",
    "\U0001f980",
    "n" * LONGEST,
)

#: Ids that a store on files must keep inside its directory. None climbs more than two levels,
#: which is out of a folder inside the directory, and stays within the fence around it.
ESCAPES: Final[Family] = (
    "../x",
    "..",
    "a/../../x",
    "..\\x",
    "..%2fx",
    "./../x",
    "../x/../y",
    "../../x",
    "..\\..\\x",
)

#: Families of entry ids.
ENTRY_FAMILIES: Final[tuple[Family, ...]] = (
    ("e", "E"),
    ("e", "e "),
    ("e", " e"),
    ("e1", "e10"),
    (_COMPOSED, _DECOMPOSED),
    ("7", "07", "7.0"),
    ("a/b", "a-b"),
    ("e%", "ef"),
    (_LONG + "1", _LONG + "2"),
)


def longest(manifest: Manifest) -> int:
    """The number of characters that a session id may have."""
    return LONGEST if manifest.max_id is None else manifest.max_id


def fitting(manifest: Manifest, families: Iterable[Family]) -> list[Family]:
    """The families whose ids are not longer than the manifest allows."""
    most = longest(manifest)
    return [each for each in families if all(len(name) <= most for name in each)]


def related_ids(manifest: Manifest) -> st.SearchStrategy[Family]:
    """One family of related session ids."""
    return st.sampled_from(fitting(manifest, [f for each in FAMILIES.values() for f in each]))


def related_entry_ids() -> st.SearchStrategy[Family]:
    """One family of related entry ids."""
    return st.sampled_from(ENTRY_FAMILIES)


# ------------------------------------------------------------------------ keys

_SEPARATORS: Final = ("/", ":", "|", "-", "_", ".", "\x1f", "\x00")


def key(manifest: Manifest, parts: Mapping[int, str], length: int | None = None) -> Key:
    """A whole key: the parts named here, the others called as the manifest calls them."""
    names = manifest.key_parts[: required(manifest) if length is None else length]
    return tuple(parts.get(index, name) for index, name in enumerate(names))


def required(manifest: Manifest) -> int:
    """The number of parts that every key has."""
    return len(manifest.key_parts) - manifest.optional_parts


def one_part_apart(manifest: Manifest, family: Family) -> list[tuple[Key, ...]]:
    """For each part, keys that differ in that part alone, by the ids of a family."""
    return [
        tuple(key(manifest, {index: each}, max(index + 1, required(manifest))) for each in family)
        for index in range(len(manifest.key_parts))
    ]


def joined_apart(manifest: Manifest) -> list[tuple[Key, ...]]:
    """Keys that are one text once their parts are joined by a separator."""
    most = len(manifest.key_parts)
    return [
        (
            key(manifest, {index: f"a{sep}b", index + 1: "c"}, max(index + 2, required(manifest))),
            key(manifest, {index: "a", index + 1: f"b{sep}c"}, max(index + 2, required(manifest))),
        )
        for sep in _SEPARATORS
        for index in range(most - 1)
    ]


def related_keys(manifest: Manifest) -> st.SearchStrategy[tuple[Key, ...]]:
    """One family of related keys."""
    families = fitting(manifest, [f for each in FAMILIES.values() for f in each])
    apart = [keys for each in families for keys in one_part_apart(manifest, each)]
    return st.sampled_from([*apart, *joined_apart(manifest)])
