"""Games between any agents, in one process.

arena             the games of a match, whole in the kernel or move by move in Python
matches           the data: matches, seatings (what is to be played) and played games
histories         the moves of running games, from which histories are made when an agent asks
asking            asking the agents of many games for their moves; a wrong answer loses the game
questions         asking one agent one question, whatever the agent does
answers           errors and answers of agents, whose methods are not trusted
clock             the time of a question, which another process can read
process_state     what the agents of a process share and could spoil, put right after every question
family            the processes that a worker has begun, and their end
"""
