"""What lets a model act on a screen: actions, coordinates, and each provider's computer API."""
