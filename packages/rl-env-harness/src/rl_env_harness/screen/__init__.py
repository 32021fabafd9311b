"""Acting on a screen: actions, coordinates, and each provider's computer API."""
