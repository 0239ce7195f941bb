"""How layers are measured.

layer       the type of all that can be measured; groups: the groups of layers, imported when they are wanted
measure     rounds in which all layers take turns
workers     measured processes that take turns; serve_batch: such a process for one batch size
machine     the machine of a run, and the start-up times of a process
bench_report   a run as data
scaling     speed and memory over the batch size
"""
