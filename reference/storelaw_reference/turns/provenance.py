"""Provenance: who published an entry, and where it stands in that publisher's chain.

Signing is injected. `HashKey` and `HashKeys` are a stand-in for Ed25519 that
needs nothing but the standard library: whoever can verify can also sign.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from hashlib import sha256
from hmac import compare_digest
from hmac import digest as keyed
from typing import Any, Literal, Protocol

from storelaw_reference.turns.entries import Json
from storelaw_reference.turns.equality import canonical, tags_of
from storelaw_reference.turns.moments import shortened

Fault = Literal["unsigned", "unknown-key", "bad-signature"]


class Signer(Protocol):
    """Signs as one publisher with one key."""

    @property
    def publisher(self) -> str:
        """Return who signs, such as `session:<namespace>/<name>`."""
        ...

    @property
    def key_id(self) -> str:
        """Return the name of the key, 32 hex digits."""
        ...

    def sign(self, digest: bytes) -> bytes:
        """Return the signature of 32 digest bytes."""
        ...


class Verifier(Protocol):
    """Knows keys by their ids."""

    def knows(self, key_id: str) -> bool:
        """Tell whether a key can be checked at all."""
        ...

    def verify(self, key_id: str, digest: bytes, signature: bytes) -> bool:
        """Tell whether a known key made this signature."""
        ...


class HashKey:
    """A `Signer` with a shared secret."""

    def __init__(self, publisher: str, secret: bytes) -> None:
        self.publisher = publisher
        self.key_id = sha256(secret).digest()[:16].hex()
        self._secret = secret

    def sign(self, digest: bytes) -> bytes:
        """Return the keyed hash of a digest."""
        return keyed(self._secret, digest, "sha256")


class HashKeys:
    """A `Verifier` of some shared secrets."""

    def __init__(self, keys: Iterable[HashKey]) -> None:
        self._keys = {key.key_id: key for key in keys}

    def knows(self, key_id: str) -> bool:
        """Tell whether a key is one of ours."""
        return key_id in self._keys

    def verify(self, key_id: str, digest: bytes, signature: bytes) -> bool:
        """Tell whether a known key made this signature."""
        return compare_digest(self._keys[key_id].sign(digest), signature)


def entry_digest(entry: Mapping[str, Any]) -> str:
    """Return what is signed of an entry with provenance, as SHA-256 in hex.

    The same whatever a backend does to key order, white space, the order of
    tags, empty lists, and times below a microsecond. Numbers go in exactly
    and text as ASCII, so a digest is this kit's own. Rules: OA-P2, D-OA-9.
    """
    parts = (f"{json.dumps(name)}:{text}" for name, text in _signed(entry) if text)
    return sha256(("{" + ",".join(parts) + "}").encode()).hexdigest()


def _signed(entry: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    """The signed members in their fixed order; an empty text is left out."""
    held, tags, links = entry["provenance"], tags_of(entry), entry.get("links")
    yield "scopeKind", canonical(entry["scope"]["kind"])
    yield "scopeId", canonical(entry["scope"]["id"])
    yield "kind", canonical(entry["kind"])
    yield "id", canonical(entry["id"])
    yield "createdAt", canonical(shortened(entry["createdAt"]))
    yield "tags", canonical(tags) if tags else ""
    yield "links", canonical(links) if links else ""
    yield "content", canonical(entry["content"]) if entry.get("content") is not None else ""
    yield "publisher", canonical(held["publisher"])
    yield "keyId", canonical(held["keyId"])
    yield "seq", canonical(held["seq"])
    yield "prevHash", canonical(held["prevHash"]) if held.get("prevHash") else ""


def signed(entry: Json, signer: Signer, seq: int, prev_hash: str = "") -> Json:
    """Return an entry with its envelope: position `seq`, behind the digest `prev_hash`.

    Rule: OA-P2.
    """
    held: Json = {"publisher": signer.publisher, "keyId": signer.key_id, "seq": seq}
    if prev_hash:
        held["prevHash"] = prev_hash
    draft = {**entry, "provenance": held}
    signature = signer.sign(bytes.fromhex(entry_digest(draft)))
    return {**entry, "provenance": {**held, "sig": b64encode(signature).decode()}}


def fault_of(entry: Mapping[str, Any], verifier: Verifier) -> Fault | None:
    """Return what is wrong with an entry's signature, or None. Rules: OA-P1, OA-P2."""
    held = entry.get("provenance")
    if not held:
        return "unsigned"
    if not verifier.knows(held["keyId"]):
        return "unknown-key"
    try:
        signature = b64decode(held["sig"], validate=True)
    except ValueError:
        return "bad-signature"
    right = verifier.verify(held["keyId"], bytes.fromhex(entry_digest(entry)), signature)
    return None if right else "bad-signature"
