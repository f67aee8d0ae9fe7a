"""Documents made from stored rows: the PDF of a quote."""
