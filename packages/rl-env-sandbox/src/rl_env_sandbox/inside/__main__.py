"""Run this folder as the fork server of the local backend; `forks.py` starts it.

usage: python -I -S -B inside, with a socket to the server process as standard input
"""

from fork_server import main

main()
