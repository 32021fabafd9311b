"""Relative path puzzles: walk the given path over a small file tree."""
import posixpath
import re

LINE = re.compile(r"^[ \t*>]*path\**[ \t]*:\**[ \t]*(.*)$", re.I | re.M)


def extract(completion):
    lines = LINE.findall(completion)
    if not lines:
        return None
    return lines[-1].strip().strip("*").strip().strip("`")


def walk(path, cwd, dirs, files, links, avoid, max_steps):
    """Return the place reached, or None when some step is not allowed."""
    here, steps = cwd, 0
    for name in path.split("/"):
        if here in files:            # something follows a file, even just a slash
            return None
        if name in ("", "."):
            continue
        steps += 1
        if steps > max_steps:
            return None
        if name == "..":
            if here == "/":
                return None
            here = posixpath.dirname(here)
        else:
            child = posixpath.join(here, name)
            if child in links:
                here = links[child]
            elif child in dirs or child in files:
                here = child
            else:
                return None
        if avoid and (here == avoid or here.startswith(avoid + "/")):
            return None
    return here


def reward(completion, cwd, target, dirs, files, links, avoid, max_steps, **_):
    path = extract(completion)
    if not path or path.startswith("/"):
        return 0.0
    # the links column is a list of [link, directory] pairs, as Arrow wants it
    reached = walk(path, cwd, set(dirs), set(files), dict(links), avoid, max_steps)
    return 1.0 if reached == target else 0.0
