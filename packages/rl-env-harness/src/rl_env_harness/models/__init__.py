"""Clients for OpenAI's and Anthropic's APIs, which adapt to the quirks of servers."""
