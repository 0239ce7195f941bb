"""Agents that try to harm a tournament, and what an agent can reach from its view.

bots          all hostile bots; answering, breaking, hanging, raising, rewriting: their classes; kinds: what they share
test_zoo      a tournament with every bot
crawling      everything that can be reached from an object
test_views    that nothing of the match can be reached from a view
"""
