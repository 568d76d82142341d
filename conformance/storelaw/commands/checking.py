"""``storelaw check``: hold the laws against one medium."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from storelaw import catalogue, config, terminal
from storelaw.errors import Misconfigured
from storelaw.release import SPEC

if TYPE_CHECKING:
    from storelaw.outlets import Files
    from storelaw.plan import Plan

EFFORTS: Final = ("quick", "standard", "deep")


@click.command()
@click.argument("target", required=False)
@click.option("--effort", type=click.Choice(EFFORTS), help="How hard to try (standard).")
@click.option("--law", "names", multiple=True, metavar="NAME|FAMILY", help="Only these laws.")
@click.option("--seed", type=int, help="Seed of the generated programs (0; deep draws one).")
@click.option("--vectors", metavar="DIR", help="Replay the programs saved in this folder too.")
@click.option("--fixtures", metavar="DIR", help="Read what earlier versions recorded there.")
@click.option("--json", metavar="FILE", help="Write the report as JSON (- prints it).")
@click.option(
    "--events", metavar="FILE", help="Write the verdicts as events, as they come (- too)."
)
@click.option("--junit", metavar="FILE", help="Write the verdicts as JUnit XML.")
@click.option("--html", metavar="FILE", help="Write the report as an HTML page.")
@click.option("--badge", metavar="FILE", help="Write a badge: an endpoint (.json), or an .svg.")
@click.option("--save", metavar="DIR", help="Save the program of each broken law.")
@click.option("-n", "workers", type=click.IntRange(0), default=0, help="Processes (pytest-xdist).")
@click.option("--waivers", metavar="FILE", help="Waivers, as TOML or JSON.")
@click.option("--spec", metavar="VERSION", help="Score the laws of this version only (the newest).")
@click.option("--require", metavar="GRADE", help="Fail unless this grade is reached.")
@click.option("--today", metavar="DATE", help="Judge waivers as of this day.")
@click.option("-v", "--verbose", is_flag=True, help="Print every failure and every reason.")
def check(target: str | None, workers: int, verbose: bool, **given: Any) -> int:
    """Hold the laws against TARGET: a medium's name, or module:Class.

    What is not given comes from [tool.storelaw] in pyproject.toml.
    """
    from storelaw import outlets

    settings = config.found(Path.cwd())
    chosen = target or settings.target
    if chosen is None:
        raise Misconfigured(
            "configuration: no TARGET; name a medium or module:Class, or set target in "
            f"[tool.storelaw]; media: {', '.join(catalogue.all_media())}"
        )
    files: Files = {each: given.pop(each) or getattr(settings, each) for each in outlets.NAMES}
    return _checked(_planned(chosen, settings, **given), workers, files, verbose)


def _planned(
    target: str,
    settings: config.Config,
    *,
    effort: str | None,
    names: tuple[str, ...],
    seed: int | None,
    today: str | None,
    spec: str | None,
    **said: str | None,
) -> Plan:
    """What is given, joined with what the project says."""
    from storelaw.plan import Plan

    tried = effort or settings.effort or "standard"
    here = Path.cwd()
    return Plan(
        target=target,
        laws=_named(names or settings.law),
        narrowed=bool(names),
        effort=tried,
        seed=_seed(seed if seed is not None else settings.seed, tried),
        today=_day(today),
        path=tuple(dict.fromkeys(str(each) for each in (settings.folder or here, here))),
        spec=spec or settings.spec or SPEC,
        **{name: value or getattr(settings, name) for name, value in said.items()},
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


def _checked(plan: Plan, workers: int, files: Files, verbose: bool) -> int:
    from storelaw import outlets, summary

    outlets.check(files)
    profile = plan.medium().manifest.profile
    plan.terms()
    plan = plan if plan.laws else replace(plan, laws=_profiled(profile))
    report = _inspected(plan, workers, files)
    run = report["runs"][0]
    paragraphs = [_coloured(each, run) for each in summary.paragraphs(report, verbose)]
    click.echo("\n\n".join(paragraphs), err=outlets.printing(files))
    outlets.write(report, files)
    code: int = run["exit_code"]
    return code


def _inspected(plan: Plan, workers: int, files: Files) -> dict[str, Any]:
    """The report of a plan; its events are shown, and written where that is asked for."""
    from storelaw import inspection, outlets

    progress = terminal.Progress()
    try:
        with outlets.listening(files) as listeners:
            told = (progress.told, *listeners)
            return inspection.inspected(plan, *told, workers=workers, junit=files["junit"])
    finally:
        progress.cleared()


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
