"""What a tournament says.

tables      ratings, pairs, scores, seats, lengths, forfeits
page        the tables and plots as one HTML page; charts: the plots
files       the tables as CSV, Parquet, JSON
"""
