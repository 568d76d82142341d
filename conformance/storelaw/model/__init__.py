"""The laws' own model of stores and sessions: the expected side, written from the clauses.

Nothing here imports ``storelaw_reference``.
"""
