"""The throughput harness: `skyline bench`.

commands    the command
harness/    how anything is measured: rounds, processes that take turns, the machine, reports
layers/     what is measured here: the core, batches, the AEC environment, search; kernels/: what layers compile
peers/      environments of others, measured in the same run
gate/       is a layer slower than at another commit? (`make bench-check`)
pages/      a report as tables, plots and figures in the documents
"""
