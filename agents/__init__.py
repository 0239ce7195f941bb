"""Players of the games: the agent protocol, ways to name agents, and playing whole games with them.

    from agents.play import play
    results = play("manhattan", ["heuristic", "random", "random", "random"], games=1000, seed=1, rotate=True)
    print(results.standings()[0].first_share)

    protocol.py         Agent and View: what an agent is, and all that it is shown
    kernel_agents.py    random and heuristic
    search/             ismcts and flat: Monte Carlo tree search over the compiled core
    names.py            "random", "mc:200", "my_module:MyAgent": one way to name agents everywhere
    play.py             play games: in the kernel where every agent has a policy there, else in Python
    results.py          what was played, and the standings
    ratings.py          strengths of agents by the places of their games (outcomes.py, place_model.py), head_to_head.py
    report.py           a tournament's tables; report_page.py and charts.py: as a page; report_files.py: as files
    commands.py         `skyline play` and `skyline demo`

A new agent is a new module here with `AGENTS = {"name": factory}`; no list is edited.
"""
