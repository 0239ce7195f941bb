"""All hostile bots: each module of this list adds its classes to KINDS when it is imported."""

from __future__ import annotations

from tests.zoo import answering, breaking, hanging, kinds, raising, remembering, rewriting

MODULES = (answering, breaking, hanging, raising, remembering, rewriting)
KINDS = kinds.KINDS
HONEST, OTHER = (f"{bot.__module__}:{bot.__name__}" for bot in (kinds.Honest, kinds.Other))
