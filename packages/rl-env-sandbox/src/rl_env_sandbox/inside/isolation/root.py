"""A file system for sessions, in which they can read only the files that Python programs need."""

import os
import sys

from . import linux

HOME = "/home/user"
PACKAGES = "/opt/packages"
"""The agent's packages in every session."""
HERE = os.path.dirname(os.path.abspath(__file__))
"""The folder of this module, within the program that runs a session."""
OURS = "/opt/sandbox"
"""The path of these modules within the session's root."""
PYTHON = "/opt/python"
"""A second location of the interpreter, in case its own path is private to each session."""

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_OF_ETC = (
    *("alternatives", "fonts", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime"),
    *("magic", "mime.types", "protocols", "services", "shells", "ssl/certs", "ssl/openssl.cnf"),
    *("terminfo", "timezone"),
)
ETC = tuple(f"/etc/{name}" for name in _OF_ETC)
OF_DISPLAYS = tuple(
    f"/{name}"
    for name in (
        "etc/X11",
        "etc/chromium",
        "etc/chromium.d",
        "etc/gtk-3.0",
        "etc/xdg",
        "var/cache/fontconfig",
    )
)
"""Additional paths that programs with windows read."""
DEVICES = ("/dev/full", "/dev/null", "/dev/random", "/dev/urandom", "/dev/zero")
_WRITTEN = {
    "/etc/passwd": f"root:x:0:0:root:/root:/bin/sh\nuser:x:1000:1000:user:{HOME}:/bin/bash\n",
    "/etc/group": "root:x:0:\nuser:x:1000:\n",
    "/etc/hosts": "127.0.0.1 localhost sandbox\n",
    "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}
_LINKS = {
    "/dev/fd": "/proc/self/fd",
    "/dev/stdin": "/proc/self/fd/0",
    "/dev/stdout": "/proc/self/fd/1",
    "/dev/stderr": "/proc/self/fd/2",
}


def build(python: str, packages: dict[str, str], masked: list[str], shown: tuple[str, ...]) -> None:
    """Build a new root file system and enter it. Call this only in separate mount and process namespaces.

    Args:
        python: The folder of the interpreter.
        packages: The real path of each name in PACKAGES.
        masked: Folders below visible folders that must look empty.
        shown: Additional readable files of the machine.
    """
    linux.mount("none", "/", flags=linux.MS_REC | linux.MS_PRIVATE)
    root = _mount_point([python, *packages.values(), HERE])
    quiet = linux.MS_NOSUID | linux.MS_NODEV
    linux.mount("tmpfs", root, "tmpfs", quiet, "size=16m,mode=755")
    for path in (*SYSTEM, *ETC, *shown, *DEVICES):
        _show(path, root + path)
    # Debian's own Python is in /usr, which is there already.
    if not os.path.realpath(python).startswith("/usr"):
        _show(python, root + python)
        _show(python, root + PYTHON)
    for name, path in packages.items():
        _show(path, f"{root}{PACKAGES}/{name}")
    _show(os.path.dirname(HERE), root + OURS)
    for path in (each for mask in masked for each in _places(mask, python)):
        if os.path.isdir(root + path):
            linux.mount("tmpfs", root + path, "tmpfs", quiet | linux.MS_RDONLY, "size=4k,mode=755")
    for folder in ("/proc", "/tmp", "/dev/shm", "/session", "/etc", HOME, PACKAGES):
        os.makedirs(root + folder, exist_ok=True)
    for path, text in _WRITTEN.items():
        with open(root + path, "w") as file:
            file.write(text)
    for path, target in _LINKS.items():
        os.symlink(target, root + path)
    link_python(f"{root}/opt/bin")
    linux.mount("proc", f"{root}/proc", "proc", quiet | linux.MS_NOEXEC)
    linux.change_root(root)


def _places(masked: str, python: str) -> list[str]:
    """Return the paths at which a masked folder is visible: its own path, and a path below each name of the
    interpreter's folder."""
    real = os.path.realpath(python)
    if masked != real and not masked.startswith(f"{real}/"):
        return [masked]
    below = masked[len(real) :]
    return list(dict.fromkeys((masked, python + below, PYTHON + below)))


def link_python(folder: str) -> None:
    """Make a folder for PATH that contains only the interpreter.

    The interpreter's own folder may contain other programs.
    """
    os.makedirs(folder)
    for name in ("python", "python3", f"python3.{sys.version_info.minor}"):
        os.symlink(os.path.realpath(sys.executable), os.path.join(folder, name))


def seal() -> None:
    """Make the root file system read-only, because a session may run as the user that owns it."""
    kept = linux.MS_NOSUID | linux.MS_NODEV
    linux.mount("none", "/", flags=linux.MS_REMOUNT | linux.MS_BIND | linux.MS_RDONLY | kept)


def enter_session(megabytes: int, owner: int, python: str) -> None:
    """Give this process a private working directory, /tmp and /dev/shm, with a common size limit."""
    quiet = linux.MS_NOSUID | linux.MS_NODEV
    options = f"size={megabytes}m,nr_inodes=100k,mode=755"
    linux.mount("tmpfs", "/session", "tmpfs", quiet, options)
    for name, place in (("home", HOME), ("tmp", "/tmp"), ("shm", "/dev/shm")):
        os.mkdir(f"/session/{name}")
        os.chown(f"/session/{name}", owner, owner if os.geteuid() == 0 else -1)
        linux.mount(f"/session/{name}", place, flags=linux.MS_BIND)
        if python.startswith(f"{place}/"):
            os.makedirs(python)
            linux.mount(PYTHON, python, flags=linux.MS_BIND | linux.MS_REC)
    linux.mount("proc", "/proc", "proc", quiet | linux.MS_NOEXEC)
    os.chdir(HOME)


def _mount_point(sources: list[str]) -> str:
    """Return an existing folder that contains none of the sources, so that a mount hides nothing that is needed."""
    for folder in ("/mnt", "/media", "/srv", "/opt", "/sys"):
        if os.path.isdir(folder) and not any(s.startswith(folder + "/") for s in sources):
            return folder
    raise OSError("there is no folder to build a root in: /mnt, /media, /srv, /opt or /sys")


def _show(source: str, target: str) -> None:
    if os.path.islink(source) and source in SYSTEM:
        os.symlink(os.readlink(source), target)
    elif os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
        linux.bind(source, target)
    elif os.path.exists(source):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        open(target, "a").close()
        linux.bind(source, target, device=source in DEVICES)
