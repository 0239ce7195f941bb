"""The throughput harness: `skyline bench`."""
