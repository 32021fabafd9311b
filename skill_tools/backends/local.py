"""Facts about the local backend: processes on this machine, confined by the Linux kernel."""

from skill_tools.backends.backend import Backend

LOCAL = Backend(
    name="local",
    title="Local processes",
    summary=(
        "IPython kernels and bash commands run as processes on the machine of the environment's "
        "server. One warm process forks them all, so a session starts in milliseconds and many "
        "run at once. It needs no key and no account."
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
            "It needs Linux. If neither namespaces nor Landlock are allowed (an old kernel, macOS), it refuses to "
            "start. `<NAME>_CONFINE=none` turns confinement off; use it only on a disposable machine."
        ),
        "`skill-tools doctor` prints what this machine enforces.",
        "Cells need ipython under `packages`; shell commands do not.",
        "A screen needs namespaces, Xvfb and openbox: `skill-tools doctor` says whether this machine has them.",
        "The packages in `open_sandbox(packages=...)` come from the domain's venv: list them in env.yaml too.",
        "`warm` modules are imported before sessions are forked, so they may not start threads.",
    ),
)
