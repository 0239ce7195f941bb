"""Players of the games: the agent protocol, ways to name agents, and playing whole games with them.

    from skyline_agents.play import play
    results = play("manhattan", ["heuristic", "random", "random", "random"], games=1000, seed=1, rotate=True)
    print(results.standings()[0].first_share)

    protocol.py         Agent and View: what an agent is, and all that it is shown
    kernel_agents.py    random and heuristic
    batched.py          a batched policy function (a network) as an agent
    search/             ismcts and flat: Monte Carlo tree search over the compiled core
    ppo/                ppo: trained networks, and their training; models/ holds those that are shipped
    names.py            "random", "mc:200", "my_module:MyAgent": one way to name agents everywhere
    arena.py            games between any agents: in the kernel where all have a policy there, else in Python
    questions.py        asking an agent, whatever it does; time per move
    play.py             `play`: some games with a line-up
    results.py          what was played, and the standings
    ratings.py          strengths of agents by the places of their games (outcomes.py, place_model.py), head_to_head.py
    report.py           a tournament's tables; report_page.py and charts.py: as a page; report_files.py: as files
    commands.py         `skyline play` and `skyline demo`

    store.py            the database of a tournament: its schema, reading, writing
    plan.py             who meets whom in which deal
    tournament.py       play what the database lacks
    work.py             a piece of a tournament, in whatever process
    processes.py        .. on this machine          ray_engine.py   .. on a Ray cluster
    sprt.py             the sequential test
    tournament_config.py, tournament_commands.py    `skyline tournament`         train_commands.py    `skyline train`

A new agent is a new module here with `AGENTS = {"name": factory}`; no list is edited.
"""
