"""In-memory implementations of the session contracts, one folder for each profile."""
