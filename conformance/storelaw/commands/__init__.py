"""The commands of ``storelaw``: one module each, and nothing that another command needs."""
