"""Public environments that `skill-tools import` wraps; see ``__main__``."""
