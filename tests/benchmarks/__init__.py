"""The tests of the package `skyline_bench`: layers, the harness and its processes, the gate, pages."""
