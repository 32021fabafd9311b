"""Facts about the local backend: processes on this machine, confined by the Linux kernel."""

from skill_tools.backends.backend import Backend

LOCAL = Backend(
    name="local",
    title="Local processes",
    summary=(
        "IPython kernels and bash commands run as processes on the machine of the environment's "
        "server. One warm process forks all of them, so that a session starts in milliseconds and "
        "many run at once. No key, no account."
    ),
    confines=(
        "The Linux kernel confines an episode's programs, as far as this machine allows: "
        "namespaces, Landlock, seccomp and limits keep them from the network, from files outside "
        "their folder, from the server's variables and from other episodes."
    ),
    docs="https://docs.kernel.org/userspace-api/landlock.html",
    requirements=("ipython>=9,<10",),
    display_requirements=("pillow>=12.3,<13", "python-xlib>=0.33,<0.34", "isal>=1.8,<2"),
    pitfalls=(
        (
            "It needs Linux. Where neither namespaces nor Landlock are allowed (an old kernel, macOS) "
            "it refuses to start; `<NAME>_CONFINE=none` runs without, in a machine you would throw "
            "away."
        ),
        "`skill-tools doctor` prints what this machine enforces.",
        "Without ipython under `packages` there are no cells; shell commands do without.",
        (
            "A screen needs namespaces, Xvfb and openbox: `skill-tools doctor` says whether this "
            "machine has them."
        ),
        "What `open_sandbox(packages=...)` names comes from the domain's venv: list it there too.",
        "A `warm` module is imported before sessions are forked: none that starts threads can be.",
    ),
)
