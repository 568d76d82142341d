"""What the kit itself registers through its hooks: its media, law families and sections."""

import pkgutil
from collections.abc import Iterator, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from storelaw import families
from storelaw.hookspecs import hookimpl
from storelaw.profiles import OWN, Kind, Profile, profile_named
from storelaw.sections import Section

MEDIA: Final[Mapping[str, str]] = {
    "reference": "storelaw.media.reference:ReferenceMedium",
    "reference:idempotent": "storelaw.media.reference:IdempotentReferenceMedium",
    "sqlite": "storelaw.media.sqlite:SqliteMedium",
    "sqlite:idempotent": "storelaw.media.sqlite:IdempotentSqliteMedium",
    "jsonl": "storelaw.media.jsonl:JsonlMedium",
    "jsonl:idempotent": "storelaw.media.jsonl:IdempotentJsonlMedium",
    "claude": "storelaw.media.claude:ClaudeMedium",
    "openai": "storelaw.media.openai:OpenAIMedium",
    "openai:sqlalchemy": "storelaw.media.openai_sqlalchemy:SqliteSQLAlchemyMedium",
    "openai:sqlalchemy-postgres": "storelaw.media.openai_sqlalchemy:PostgresSQLAlchemyMedium",
    "openai:redis": "storelaw.media.openai_redis:OpenAIRedisMedium",
    "langgraph:memory": "storelaw.media.langgraph:MemoryLangGraphMedium",
    "langgraph:sqlite": "storelaw.media.langgraph:SqliteLangGraphMedium",
    "langgraph:postgres": "storelaw.media.langgraph:PostgresLangGraphMedium",
    "postgres": "storelaw.media.postgres:PostgresMedium",
    "postgres:idempotent": "storelaw.media.postgres:IdempotentPostgresMedium",
    "postgres:jsonb": "storelaw.media.postgres:JsonbPostgresMedium",
    "postgres:pooled": "storelaw.media.postgres:PooledPostgresMedium",
    "postgres:async": "storelaw.media.postgres:AsyncPostgresMedium",
    "redis": "storelaw.media.redis_lists:RedisMedium",
    "redis:idempotent": "storelaw.media.redis_lists:IdempotentRedisMedium",
    "redis:async": "storelaw.media.redis_lists:AsyncRedisMedium",
    "log-memory": "storelaw.media.log_memory:LogMemoryMedium",
    "log-jsonl": "storelaw.media.log_jsonl:LogJsonlMedium",
    "log-json": "storelaw.media.log_json:LogJsonMedium",
    "log-kv": "storelaw.media.log_kv:LogKvMedium",
    "turns-memory": "storelaw.media.turns_memory:TurnsMemoryMedium",
    "turns-sqlite": "storelaw.media.turns_sqlite:TurnsSqliteMedium",
}

#: The package that a bundled medium needs, and the extra of this distribution that brings it.
EXTRAS: Final[Mapping[str, tuple[str, str]]] = {
    "claude": ("claude_agent_sdk", "claude"),
    **{name: ("agents", "openai") for name in MEDIA if name.split(":")[0] == "openai"},
    **{name: ("langgraph", "langgraph") for name in MEDIA if name.split(":")[0] == "langgraph"},
    **{name: ("psycopg", "postgres") for name in MEDIA if name.split(":")[0] == "postgres"},
    **{name: ("redis", "redis") for name in MEDIA if name.split(":")[0] == "redis"},
}

#: The environment's variable that holds the URL of the server that a bundled medium needs.
SERVERS: Final[Mapping[str, str]] = {
    **{name: "STORELAW_POSTGRES" for name in MEDIA if "postgres" in name},
    **{name: "STORELAW_REDIS" for name in MEDIA if "redis" in name},
}


def modules_of(package: ModuleType) -> Iterator[ModuleType]:
    """The modules of a package, imported, in the order of their names."""
    for each in sorted(pkgutil.iter_modules(package.__path__), key=lambda found: found.name):
        yield import_module(f"{package.__name__}.{each.name}")


@hookimpl
def storelaw_media() -> Mapping[str, str]:
    """The media of ``storelaw.media``, none of which is imported before it is asked for."""
    return MEDIA


@hookimpl
def storelaw_profiles() -> list[Profile]:
    """The profiles that the kit comes with."""
    return [profile_named(each) for each in OWN]


@hookimpl
def storelaw_kinds() -> Mapping[str, list[Kind]]:
    """The entry kinds of these profiles."""
    return import_module("storelaw.strategies.kinds").kinds()  # type: ignore[no-any-return]


@hookimpl
def storelaw_laws() -> list[ModuleType]:
    """The modules of ``storelaw.families``."""
    return list(modules_of(families))


@hookimpl
def storelaw_report_section(report: Mapping[str, Any]) -> list[Section]:
    """The sections of the summary."""
    return list(import_module("storelaw.summary").own(report))
