"""What a tournament says.

tables      ratings, pairs, scores, seats, lengths, forfeits; overall: the standing over all games together;
            reasons: why games were forfeited, in groups
page        the tables and plots as one HTML page; charts: the plots
files       the tables as CSV, Parquet, JSON
"""
