"""The MCP server, with tools, results under 10 kB, and jobs for work that takes longer than a client waits."""
