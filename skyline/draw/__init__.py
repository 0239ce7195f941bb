"""Pictures. Nothing here knows a game.

svg         an SVG builder, looks for seats, rasterising, saving, a window
"""
