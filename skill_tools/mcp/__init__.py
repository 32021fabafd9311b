"""The MCP server: tools, answers under 10 kB, and jobs for what takes longer than a client waits."""
