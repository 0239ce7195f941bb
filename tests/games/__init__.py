"""The tests of the games: what all games promise, and a folder for each game with the same files.

test_properties, test_mutants     properties of every game over random positions; broken rules that tests must see
test_watchers                     every game beside watchers that know what a seat knows, and nothing of the core
broken_states, pictures, replays, stories     what the tests of several games share

A game's folder: cases (positions, short to write), oracle* (the game in plain Python, from RULES.md alone), match (what
the game brings to a match of core and oracle), views (what is hidden), mutants, watching/ (the books of one seat, from
RULES.md section 7.2 alone), and test_rules*, test_rulings, test_watcher, test_history, test_memory, test_belief,
test_worked_positions, test_oracle*, test_hidden, test_loading, test_drawing, test_story, test_counts, test_mistakes.
"""
