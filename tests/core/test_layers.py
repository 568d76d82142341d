"""The layers: who may import whom, and which names stand for one thing only."""

import ast
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import storelaw
import storelaw_reference
import storelaw_schemas

ROOTS = {
    each.__name__: Path(str(each.__file__)).parent
    for each in (storelaw, storelaw_reference, storelaw_schemas)
}

#: The modules on which everything else in ``storelaw`` rests.
CORE = frozenset(
    [
        "abilities",
        "clauses",
        "contract",
        "driver",
        "engine",
        "engine_views",
        "errors",
        "failures",
        "generation",
        "judging",
        "manifest",
        "matrix",
        "medium",
        "narrative",
        "player",
        "program",
        "reduction",
        "samples",
        "stage",
        "trace",
        "trial",
        "values",
        "verdict",
        "worker",
    ]
)

#: Where the reference may be looked at: it is a subject there.
SUBJECTS = (
    "storelaw.engine",
    "storelaw.exposure",
    "storelaw.liars",
    "storelaw.media",
    "storelaw.strangers",
)

#: What the expected side must not know.
SUBJECT_ROOTS = ("storelaw_reference", "storelaw.liars", "storelaw.media", "storelaw.strangers")

#: The modules that say what is expected.
ORACLES = (
    "storelaw.families",
    "storelaw.history",
    "storelaw.model",
    "storelaw.judging",
    "storelaw.samples",
    "storelaw.strategies",
    "storelaw.program",
    "storelaw.trace",
    "storelaw.values",
)

#: The outermost skin, and who may start it.
SKIN = {
    "storelaw.cli": {"storelaw.__main__"},
    "storelaw.commands": {"storelaw.cli"},
    "storelaw.plugin": set[str](),
}


def modules(root: str) -> dict[str, Path]:
    """The modules below a root, by name."""
    found: dict[str, Path] = {}
    for path in sorted(ROOTS[root].rglob("*.py")):
        parts = path.relative_to(ROOTS[root]).with_suffix("").parts
        name = ".".join([root, *parts])
        found[name.removesuffix(".__init__")] = path
    return found


def targets(node: ast.AST, package: str) -> Iterator[str]:
    """What a statement imports, as absolute names; ``from a import b`` counts as ``a.b`` too."""
    if isinstance(node, ast.Import):
        yield from (each.name for each in node.names)
    elif isinstance(node, ast.ImportFrom):
        above = package.split(".")[: len(package.split(".")) - node.level + 1]
        origin = ".".join([*(above if node.level else []), *([node.module] if node.module else [])])
        yield origin
        yield from (f"{origin}.{each.name}" for each in node.names)


def imports(name: str, path: Path) -> set[str]:
    """All that a module imports, wherever in it the statement stands."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {each for node in ast.walk(tree) for each in targets(node, package)}


def within(name: str, *roots: str) -> bool:
    """Whether a name is one of the roots or lies below one."""
    return any(name == each or name.startswith(f"{each}.") for each in roots)


IMPORTS = {
    root: {name: imports(name, path) for name, path in modules(root).items()} for root in ROOTS
}


def offences(root: str, importer: tuple[str, ...], imported: tuple[str, ...]) -> list[str]:
    """Where a module of the first kind imports one of the second."""
    return sorted(
        f"{name} imports {each}"
        for name, found in IMPORTS[root].items()
        if within(name, *importer)
        for each in found
        if within(each, *imported)
    )


def test_relative_and_nested_imports_are_seen() -> None:
    """The walk knows the four spellings of an import."""
    source = "import a.b\nfrom c import d\ndef f():\n    from . import e\n    from ..g import h\n"
    found = {each for node in ast.walk(ast.parse(source)) for each in targets(node, "p.q")}
    assert found == {"a.b", "c", "c.d", "p.q", "p.q.e", "p.g", "p.g.h"}


def test_every_root_has_its_modules() -> None:
    """The walk finds the three packages whole."""
    assert {f"storelaw.{each}" for each in CORE} <= set(IMPORTS["storelaw"])
    assert "storelaw_reference.transcript.sessions" in IMPORTS["storelaw_reference"]
    assert "storelaw_schemas.catalogue" in IMPORTS["storelaw_schemas"]


def test_the_schemas_import_nothing_of_ours() -> None:
    """They can be used alone."""
    assert (
        offences("storelaw_schemas", ("storelaw_schemas",), ("storelaw", "storelaw_reference"))
        == []
    )


def test_the_reference_imports_the_schemas_at_most() -> None:
    """The specification doesn't know the kit that tests it."""
    assert offences("storelaw_reference", ("storelaw_reference",), ("storelaw",)) == []


def test_the_expected_side_never_sees_a_subject() -> None:
    """A fault that law and subject share would be invisible."""
    assert offences("storelaw", ORACLES, SUBJECT_ROOTS) == []


def test_only_engines_and_media_use_the_reference() -> None:
    """Everywhere else the reference is a store like any other."""
    users = {
        name
        for name, found in IMPORTS["storelaw"].items()
        if any(within(each, "storelaw_reference") for each in found)
    }
    engines = {each for each in IMPORTS["storelaw"] if each.startswith("storelaw.engine")}
    assert {each for each in users - engines if not within(each, *SUBJECTS)} == set()
    assert "storelaw.engine" in users


@pytest.mark.parametrize("skin", sorted(SKIN))
def test_nothing_imports_the_outermost_skin(skin: str) -> None:
    """The plugin and the command line can be taken off."""
    importers = {
        name
        for found in IMPORTS.values()
        for name, each in found.items()
        if name != skin and any(within(one, skin) for one in each)
    }
    assert importers <= SKIN[skin]


def test_no_core_module_knows_a_law() -> None:
    """Laws, media and liars rest on the core, and never the other way round."""
    core = tuple(f"storelaw.{each}" for each in sorted(CORE))
    assert offences("storelaw", core, ("storelaw.families",)) == []


def test_no_law_knows_how_it_is_drawn() -> None:
    """What is expected gives data; pages are made from a report alone."""
    core = tuple(f"storelaw.{each}" for each in sorted(CORE))
    assert offences("storelaw", ORACLES, ("storelaw.pages", "storelaw.drawings")) == []
    assert offences("storelaw", (*core, "storelaw.drawings"), ("storelaw.pages",)) == []
    assert offences("storelaw", ("storelaw.pages",), ("storelaw.trial", *SUBJECT_ROOTS)) == []


def test_no_sub_module_has_the_name_of_a_public_function() -> None:
    """Importing every sub-module hides none of the exports."""
    names = [each.name for each in pkgutil.iter_modules(storelaw.__path__)]
    assert set(names) & set(storelaw.__all__) == set()
    before = {each: getattr(storelaw, each) for each in storelaw.__all__}
    for name in names:
        if name not in ("__main__", "plugin"):
            import_module(f"storelaw.{name}")
    assert {each: getattr(storelaw, each) for each in storelaw.__all__} == before
