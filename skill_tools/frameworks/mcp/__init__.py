"""MCP servers, whose tools are played as they are: the facts that an audit needs.

Docs: https://modelcontextprotocol.io and https://github.com/modelcontextprotocol/python-sdk. The
driver is the SDK's client (seen: mcp 2.3.0). It starts with the handshake of the older protocol, and
uses the handshake of 2026 if a server refuses the older one.

A target is a command (`-f mcp "npx -y @scope/server"`), which is split like a shell command but run without
a shell, or the address of a server over streamable HTTP. For a command, each episode has its own process in
an empty folder. If the target is a folder, `--id` is the command and every process runs in that
folder, so that episodes may share the files in it.

Unexpected behavior:

- A server has no reward, no end and no seed: the audit says nothing about rewards.
- The command runs with the user's PATH and not in the driver's venv: install its packages for the user.
- A server at an address may keep its state between episodes: a session is only a connection.
- A tool's failure (`isError`) counts as a refusal, whatever the cause. A protocol error for an unknown
  tool or invalid parameters counts as a refusal, too; any other protocol error fails the episode.
- `outputSchema` is ignored: SDK clients would raise an error if a result did not match.
- A request of the server to the client (sampling, elicitation, roots) is refused.
"""

from skill_tools.frameworks.framework import InFolder, Playable

MCP = Playable(
    name="mcp",
    title="an MCP server",
    distribution="mcp",
    requirements=("mcp>=2,<3",),
    python=">=3.11,<3.15",
    transport="in-process",
    warm_imports=("mcp", "mcp.client.stdio", "mcp.client.streamable_http"),
    packages=("mcp",),
    in_folder=InFolder(),
    by_command=True,
)
