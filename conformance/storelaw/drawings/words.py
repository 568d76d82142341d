"""An item of a drawing in a few words."""

from storelaw.narrative import gist
from storelaw.values import brief, is_object

#: How long they may get.
WIDTH = 48


def said(item: object) -> str:
    """What an item is, as short ASCII: who says what, its type, or its JSON."""
    if not is_object(item):
        return item_text(item)
    body = item.get("message", item.get("data", item))
    words = gist({"message": body}) if is_object(body) else ""
    if words and not words.startswith("{"):
        return brief_words(words.removesuffix(": "))
    kind = item.get("type")
    return brief_words(kind) if isinstance(kind, str) and kind else item_text(item)


def item_text(item: object) -> str:
    """An item as its JSON, cut."""
    return brief(item, WIDTH)


def brief_words(words: str) -> str:
    """Words as ASCII, cut at their end."""
    text = ascii(words)[1:-1]
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 3]}..."
