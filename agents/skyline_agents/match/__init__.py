"""Games between any agents, in one process.

arena             games of a match, in the kernel where all agents have a policy there, else move by move
matches           what is to be played and what came of it: matches, seatings, played games
asking            asking the agents of many games for their moves; what a wrong answer costs
questions         asking one agent something, whatever the agent does
clock             the time of a question, which another process can read
process_state     what agents of one process share and could spoil, put back after every question
"""
