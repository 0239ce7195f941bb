"""How anything is measured.

layer       what can be measured; groups: the groups of layers, imported when wanted
measure     rounds in which all layers take turns
workers     measured processes that take turns; serve_batch: such a process for one batch size
machine     the machine of a run, and what a fresh process costs
bench_report   a run as data
scaling     cost over the batch size
"""
