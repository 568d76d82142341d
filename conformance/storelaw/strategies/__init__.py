"""Hypothesis strategies that several laws share; leaves come from pools of our own."""
