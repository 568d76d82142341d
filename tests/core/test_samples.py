"""Sample entries, which fit the published schemas."""

import pytest

from storelaw import samples
from storelaw.program import Draft
from storelaw.values import Entry
from storelaw_schemas import problems


@pytest.mark.parametrize(
    "entry",
    [
        samples.said("1"),
        samples.said("1", "hello", role="assistant", parent="0"),
        samples.said("1", created="2026-02-01T00:00:00Z"),
        samples.custom("1", n=1),
    ],
)
def test_sample_entries_fit_the_schema(entry: Entry) -> None:
    """What programs append is what a session would append."""
    assert problems("transcript/stored-entry", entry) == ()


@pytest.mark.parametrize(
    "draft",
    [
        samples.user("q"),
        samples.user("q", "one", samples.text_block("")),
        samples.meta("m"),
        samples.ephemeral("e"),
        samples.note("n", n=1),
        samples.assistant("a"),
        samples.calls("c", "1", "2"),
        samples.result("r", "1"),
    ],
)
def test_sample_drafts_fit_the_schema(draft: Draft) -> None:
    """What programs give to a session engine is what an application would give."""
    assert problems("transcript/draft", draft.entry) == ()


def test_a_drafts_text_is_its_label_by_default() -> None:
    """A draft without content says its label, so that it can be recognised anywhere."""
    assert samples.user("q").entry["message"]["content"] == [samples.text_block("q")]
    assert samples.user("q", "hello").entry["message"]["content"] == [samples.text_block("hello")]


def test_an_empty_text_has_no_member() -> None:
    """The wire leaves empty text out."""
    assert samples.text_block("") == {"type": "text"}


def test_the_injection_marker_is_read_from_the_message() -> None:
    """meta and ephemeral are told apart; an entry without a message has no marker."""
    assert samples.injected(samples.meta("m").entry) == "meta"
    assert samples.injected(samples.user("q").entry) is None
    assert samples.injected(samples.note("n").entry) is None
    assert samples.is_ephemeral(samples.ephemeral("e").entry)
    assert not samples.is_ephemeral(samples.meta("m").entry)


def test_ephemeral_drafts_are_not_durable() -> None:
    """The drafts that a store keeps are all but the ephemeral ones, in order."""
    drafts = [samples.user("q"), samples.ephemeral("e"), samples.meta("m")]
    assert [each.label for each in samples.durable(drafts)] == ["q", "m"]
