"""The throughput harness: `skyline bench`.

commands    the command
harness/    how layers are measured: rounds, processes that take turns, the machine, reports
layers/     our layers: the core, batches, the AEC environment, search; kernels/: compiled functions of the layers
peers/      environments of other libraries, measured in the same run
gate/       is a layer slower than at another commit? (`make bench-check`)
pages/      a report as tables, plots and figures in the documents
"""
