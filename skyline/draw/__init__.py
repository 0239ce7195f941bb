"""Pictures. Nothing here knows a game.

svg         an SVG builder, and the looks of seats
layout      parts that the pictures of all games have: page, head, boxes, foot
fonts       the one font of pictures in pixels: the widths of its letters, its files
raster      an SVG picture as pixels and as a file (extra `viz`)
window      a window that shows pictures (extra `viz`)
plots       plots with one look, by matplotlib (extra `viz`)
"""
