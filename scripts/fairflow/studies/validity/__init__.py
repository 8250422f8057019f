"""How far scores can be trusted: their validity and reliability, from what a run has anyway."""
