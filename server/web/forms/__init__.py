"""What people and programs send, as strict models. Decides nothing."""
