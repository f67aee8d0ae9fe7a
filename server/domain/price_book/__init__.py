"""An organization's own prices: what an item is, and how price lists (CSV, XLSX, BC3) become items."""
