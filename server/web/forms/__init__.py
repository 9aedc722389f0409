"""What people and programs send, as strict models. Decides nothing: it says what was asked for, or refuses it."""
