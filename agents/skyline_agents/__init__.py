"""Players of the games, matches between them, tournaments, ratings and reports.

    from skyline_agents.play import play
    results = play("manhattan", ["heuristic", "random", "random", "random"], games=1000, seed=1, rotate=True)
    print(results.standings()[0].first_share)

    protocol       `Agent` and `View`: what an agent is, and all that an agent is shown
    names          "random", "flat:200", "my_module:MyAgent": one way to name agents everywhere
    play           some games with a line-up; results: what was played, and the standings
    places         shares of first places and outcomes from the places of games
    players/       the players: kernel (random, heuristic), batched (a policy function), search/, ppo/
    match/         games between any agents, in one process
    tournament/    many matches, in many processes; database/: the file that holds their results
    ratings/       strengths from places; report/: tables, plots, a page
    cli/           the commands; limits: the largest values that a command or file may ask for
    models/        the trained networks that come with the package

A new agent of this package needs a module in players/ and a line in `players.PLAYERS`.
"""
