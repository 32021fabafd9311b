"""Facts about E2B: cloud sandboxes, reached through its own client."""

from skill_tools.backends.backend import Backend

E2B = Backend(
    name="e2b",
    title="E2B",
    summary=(
        "Code and commands run in a virtual machine of E2B's cloud, one per episode; the domain "
        "and the reward stay on the environment's server."
    ),
    confines="The virtual machine contains the episode's files and none of your other files.",
    docs="https://e2b.dev/docs",
    requirements=("e2b-code-interpreter>=2.11,<3",),
    display_requirements=("e2b-desktop>=2.7,<2.7.2",),
    secrets=("E2B_API_KEY",),
    settings=("E2B_TEMPLATE", "E2B_DOMAIN", "E2B_API_URL", "E2B_SANDBOX_URL"),
    pitfalls=(
        (
            "A sandbox that is not closed is billed until `Limits.sandbox_seconds` have passed; some "
            "accounts limit this to an hour."
        ),
        (
            "Your account limits how many sandboxes run at once; opening a sandbox takes longer than opening a "
            "local session."
        ),
        "Nothing is installed at run time: further packages need your own template, named by E2B_TEMPLATE.",
        (
            "Environments with a screen use E2B's template `desktop` (Xfce). Programs that tasks "
            "start need your own template, and a picture takes a second or two."
        ),
        "The template limits memory, disk and processes; `Limits` does not.",
        "The agent is root in its machine: code that shuts it down ends the episode as failed.",
    ),
)
