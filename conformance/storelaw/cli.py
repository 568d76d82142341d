"""The command line. Exit codes: 0 conforms, 1 a law is broken, 2 nothing was evaluated,
3 the medium or the harness failed, 4 usage.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from storelaw import catalogue, config, explanation, release, terminal, vectors
from storelaw.clauses import Battery
from storelaw.errors import Misconfigured, StorelawError, in_ascii
from storelaw.manifest import Manifest
from storelaw.program import Program
from storelaw.verdict import BREAKS, CONFORMS, FAULT, NOTHING, USAGE

if TYPE_CHECKING:
    from storelaw.plan import Plan
    from storelaw.verdict import Verdict

INTERRUPTED: Final = 130
EFFORTS: Final = ("quick", "standard", "deep")


class Commands(click.Group):
    """Ends with the exit code that a command returns, and with 4 for whatever is misused."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command; no fault of the user's shows a traceback."""
        try:
            code: Any = super().main(*args, **{**kwargs, "standalone_mode": False})
        except click.ClickException as error:
            error.show()
            code = USAGE
        except Misconfigured as error:
            code = _complained(str(error), USAGE)
        except StorelawError as error:
            code = _complained(str(error), FAULT)
        except (click.Abort, KeyboardInterrupt):
            code = _complained("interrupted", INTERRUPTED)
        sys.exit(code)


def _complained(words: str, code: int) -> int:
    click.echo(in_ascii(words), err=True)
    return code


@click.group("storelaw", cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(release.__version__, prog_name="storelaw")
def main() -> None:
    """The laws that a session store of an LLM agent must obey."""


@main.command()
@click.argument("target", required=False)
@click.option("--effort", type=click.Choice(EFFORTS), help="How hard to try (standard).")
@click.option("--law", "names", multiple=True, metavar="NAME|FAMILY", help="Only these laws.")
@click.option("--seed", type=int, help="Seed of the generated programs (0; deep draws one).")
@click.option("--vectors", metavar="DIR", help="Replay the programs saved in this folder too.")
@click.option("--json", "report", metavar="FILE", help="Write the report as JSON.")
@click.option("--save", metavar="DIR", help="Save the program of each broken law.")
@click.option("-n", "workers", type=click.IntRange(0), default=0, help="Processes (pytest-xdist).")
@click.option("--waivers", metavar="FILE", help="Waivers, as TOML or JSON.")
@click.option("--today", metavar="DATE", help="Judge waivers as of this day.")
def check(target: str | None, report: str | None, workers: int, **given: Any) -> int:
    """Hold the laws against TARGET: a medium's name, or module:Class.

    What is not given comes from [tool.storelaw] in pyproject.toml.
    """
    settings = config.found(Path.cwd())
    chosen = target or settings.target
    if chosen is None:
        raise Misconfigured(
            "configuration: no TARGET; name a medium or module:Class, or set target in "
            f"[tool.storelaw]; media: {', '.join(catalogue.all_media())}"
        )
    return _checked(_planned(chosen, settings, **given), workers, report or settings.json)


def _planned(
    target: str,
    settings: config.Config,
    *,
    effort: str | None,
    names: tuple[str, ...],
    seed: int | None,
    today: str | None,
    **files: str | None,
) -> Plan:
    """What is given, joined with what the project says."""
    from storelaw.plan import Plan

    tried = effort or settings.effort or "standard"
    here = Path.cwd()
    return Plan(
        target=target,
        laws=_named(names or settings.law),
        effort=tried,
        seed=_seed(seed if seed is not None else settings.seed, tried),
        today=_day(today),
        path=tuple(dict.fromkeys(str(each) for each in (settings.folder or here, here))),
        **{name: value or getattr(settings, name) for name, value in files.items()},
    )


def _named(names: Iterable[str]) -> tuple[str, ...]:
    """The laws that are asked for; none stands for all that the target's profile has."""
    wanted = tuple(names)
    return tuple(each.name for each in catalogue.chosen(wanted)) if wanted else ()


def _seed(seed: int | None, effort: str) -> int:
    drawn = int.from_bytes(os.urandom(4), "big") if effort == "deep" else 0
    return drawn if seed is None else seed


def _day(today: str | None) -> str:
    try:
        return (date.fromisoformat(today) if today else date.today()).isoformat()
    except ValueError:
        raise Misconfigured(f"configuration: --today {today!r} is no date") from None


def _checked(plan: Plan, workers: int, file: str | None) -> int:
    from storelaw import extensions, inspection, summary
    from storelaw import report as reports

    profile = plan.medium().manifest.profile
    plan.terms()
    plan = plan if plan.laws else replace(plan, laws=_profiled(profile))
    line = terminal.Line(len(plan.laws))
    try:
        report = inspection.inspected(plan, line.told, workers)
    finally:
        line.cleared()
    run = report["runs"][0]
    paragraphs = [_coloured(each, run) for each in summary.paragraphs(report, run)]
    paragraphs += extensions.called("storelaw_report_section", report=report)
    click.echo("\n\n".join(paragraphs))
    if file:
        reports.write(report, Path(file))
    code: int = run["exit_code"]
    return code


def _profiled(profile: str) -> tuple[str, ...]:
    return tuple(each.name for each in catalogue.all_laws(profile))


def _coloured(paragraph: str, run: dict[str, Any]) -> str:
    """A paragraph with its first line in red where it tells a broken law."""
    first, *rest = paragraph.split("\n")
    if " broke a law: " in first:
        return "\n".join([terminal.painted(first, "red"), *rest])
    if rest and rest[-1].startswith(f"{run['manifest']['name']} "):
        return "\n".join(
            [first, *rest[:-1], terminal.painted(rest[-1], "red" if run["exit_code"] else "green")]
        )
    return paragraph


@main.command("laws")
@click.option("--family", help="Only this family.")
@click.option("--profile", help="Only the laws of this profile.")
@click.option("--json", "as_json", is_flag=True, help="The clauses as JSON.")
def listed(family: str | None, profile: str | None, as_json: bool) -> int:
    """List the laws, family by family."""
    found = catalogue.chosen([_family(family)] if family else [], profile)
    if as_json:
        click.echo(json.dumps([explanation.clause(each) for each in found], indent=1))
        return CONFORMS
    for each in dict.fromkeys(law.family for law in found):
        click.echo(terminal.painted(each, "cyan"))
        for law in found:
            if law.family == each:
                click.echo(f"    {law.requirement:<6}  {law.name}")
    return CONFORMS


def _family(name: str) -> str:
    if name not in catalogue.all_families():
        known = ", ".join(catalogue.all_families())
        raise Misconfigured(f"configuration: no family is called {name!r}; there are: {known}")
    return name


@main.command()
@click.argument("law")
def explain(law: str) -> int:
    """Tell what LAW claims, why, where it comes from, and what it needs."""
    from storelaw.selftest import all_liars

    found = catalogue.law_of(law)
    click.echo("\n".join(explanation.explained(found, all_liars())))
    return CONFORMS


@main.command()
@click.argument("program")
@click.argument("target")
def replay(program: str, target: str) -> int:
    """Judge TARGET by the saved PROGRAM, under the law that it names."""
    from storelaw.narrative import text
    from storelaw.trial import hold

    catalogue.importable(Path.cwd())
    vector = vectors.read(Path(program))
    if not vector.law:
        raise Misconfigured(f'configuration: {program} names no law; give it one as "law"')
    law = catalogue.law_of(vector.law)
    alone = replace(law, battery=_only(vector.program), programs=None)
    verdict = hold(alone, catalogue.medium_of(target), "battery", target=target)
    click.echo(text(verdict.failure) if verdict.failure else _told(verdict))
    codes = {"broken": BREAKS, "held": CONFORMS}
    return FAULT if verdict.fault else codes.get(verdict.outcome, NOTHING)


def _only(program: Program) -> Battery:
    def battery(_: Manifest) -> list[Program]:
        return [program]

    return battery


def _told(verdict: Verdict) -> str:
    return f"{verdict.law}: {verdict.outcome}{': ' if verdict.reason else ''}{verdict.reason}"


@main.command()
@click.option("--family", help="Only the liars and laws of this family.")
@click.option("-n", "workers", type=click.IntRange(1), help="Processes (one for each core).")
def selftest(family: str | None, workers: int | None) -> int:
    """Hold every liar and every honest stranger against the laws."""
    from storelaw.selftest import conducted
    from storelaw.strangers import strangers

    laws = catalogue.chosen([_family(family)] if family else [])
    line = terminal.Line()
    result = conducted(laws, strangers(), line.shown, workers or os.cpu_count() or 1)
    line.cleared()
    terminal.show(result.rows)
    for each in result.problems:
        click.echo(terminal.painted(each, "red"))
    click.echo(result.ending())
    return BREAKS if result.problems else CONFORMS


@main.command()
@click.argument("name", required=False)
@click.option("--list", "listing", is_flag=True, help="List the names of all schemas.")
@click.option("--check", "file", metavar="FILE", help="Check a JSON document or a JSONL log.")
@click.option("--as", "kind", metavar="NAME", help="What FILE is meant to be.")
def schema(name: str | None, listing: bool, file: str | None, kind: str | None) -> int:
    """Print the schema called NAME, or check a file against one."""
    import storelaw_schemas

    if file:
        return _validated(Path(file), kind)
    if listing:
        click.echo("\n".join(storelaw_schemas.names()))
        return CONFORMS
    if not name:
        raise click.UsageError("give a NAME, --list or --check FILE")
    click.echo(json.dumps(_schema(name), indent=2))
    return CONFORMS


def _schema(name: str) -> dict[str, Any]:
    import storelaw_schemas

    try:
        return storelaw_schemas.schema(name)
    except storelaw_schemas.UnknownSchema as error:
        raise Misconfigured(f"configuration: {error}") from None


def _validated(file: Path, kind: str | None) -> int:
    from storelaw.documents import problems_of

    if kind is not None:
        _schema(kind)
    found = list(problems_of(file, kind))
    for each in found:
        click.echo(f"{file}: {each}")
    if not found:
        click.echo(f"{file}: valid")
    return BREAKS if found else CONFORMS
