"""What builds a case: scripted ones, which need no key, and coding agents."""
