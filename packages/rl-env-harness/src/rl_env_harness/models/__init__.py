"""Clients for OpenAI's and Anthropic's APIs, which adapt to the differences between servers."""
