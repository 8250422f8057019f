"""What the metrics of items share: from answers to the score of an item and of a query."""
