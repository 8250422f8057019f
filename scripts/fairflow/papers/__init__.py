"""What the replication of one paper needs and no other study: figures of what it printed."""
