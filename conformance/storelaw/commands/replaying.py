"""``storelaw replay``: judge a medium by a saved program."""

from dataclasses import replace
from pathlib import Path

import click

from storelaw import catalogue, vectors
from storelaw.clauses import Battery
from storelaw.errors import Misconfigured
from storelaw.manifest import Manifest
from storelaw.program import Program
from storelaw.verdict import BREAKS, CONFORMS, FAULT, NOTHING, Verdict


@click.command()
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
