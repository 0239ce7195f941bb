"""The tests of the documents: code on pages, notebooks, examples, links, generated tables, the wheel."""
