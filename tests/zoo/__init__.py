"""Agents that try to harm a tournament, and the objects that an agent can reach from its view.

bots          all hostile bots; answering, breaking, hanging, raising, remembering, rewriting: their classes
kinds         the base of these classes
test_zoo      a tournament with every bot
crawling      visits all objects that can be reached from an object
test_views    tests that no part of the match can be reached from a view
"""
