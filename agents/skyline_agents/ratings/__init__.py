"""Strengths of agents from the places of their games.

fit             ratings with intervals
place_model     the model (Plackett-Luce with seats and ties) and its fit; outcomes: games counted for the model
head_to_head    who came before whom
"""
