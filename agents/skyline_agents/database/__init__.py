"""The database of a tournament: one SQLite file, one row a game.

store       the door of this room: all writing, and the reading functions (`store.events`, `store.games`)
events      the data: events, and the finished games of an event as arrays
schema      the tables, and whether a file has them
stored      reading: every value is checked, an error says where the value is
sqlite      SQLite files in general: opening, errors in words, one writer at a time
"""
