"""The database of a tournament: one SQLite file, one row a game.

store       all writing; the reading functions stand here, too (`store.events`, `store.games`)
events      what the rows are about: events, and the finished games of one as arrays
schema      the tables, and whether a file has them
stored      reading: every value is checked, a refusal says where the value stands
sqlite      SQLite files in general: opening, errors in words, one writer at a time
"""
