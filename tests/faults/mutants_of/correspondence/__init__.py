"""Defences of what only games by days have, switched off."""
