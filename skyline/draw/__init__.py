"""Pictures. Nothing here knows a game.

svg         an SVG builder, looks for seats, rasterising, saving, a window
    plots       plots with one look (extra `viz`)
"""
