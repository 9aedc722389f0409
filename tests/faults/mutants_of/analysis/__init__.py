"""Defences of what people analyse, switched off."""
