"""What every Quotewright process does alike, whichever part it runs: read its settings, write its log."""
