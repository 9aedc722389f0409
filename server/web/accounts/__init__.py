"""Accounts: signing in and out, what an account has and wants, and its mail addresses.

What others see of somebody is in `web.people`.
"""
