"""What a profile is made of: its doors, the options that it fixes, and the shapes of its entries."""

from storelaw.contract import OPTIONS
from storelaw.profiles import profile_named
from storelaw_pages.markdown import code, described, document, plain
from storelaw_pages.names import schema_linked
from storelaw_schemas import schema


def doors(name: str) -> str:
    """The doors of a profile, each with what it is and who brings it."""
    found = profile_named(name).doors
    return described(
        (code(each.name), (f"{plain(each.summary)}. {_bringer(each.methods)}",)) for each in found
    )


def _bringer(methods: tuple[str, ...]) -> str:
    if not methods:
        return "The medium may bring its own."
    return f"The medium brings it by its methods {' and '.join(map(code, methods))}."


def options(name: str) -> str:
    """The options that a profile fixes at the doors of its engines."""
    return described(
        (f"{code(option)}: {code(value)}", (plain(OPTIONS[option][1]),))
        for option, value in profile_named(name).contract.declared().items()
    )


def shape(name: str) -> str:
    """A shape in short: a link to its schema, what it is, and an example."""
    whole = schema(name)
    return described(
        [(schema_linked(name), (plain(whole["description"]), document(whole["examples"][0])))]
    )
