"""Connect four as somebody writes it by hand for Verifiers, in the framework's default way."""

from connect_four_by_hand.taskset import ConnectFourTaskset

__all__ = ["ConnectFourTaskset"]
