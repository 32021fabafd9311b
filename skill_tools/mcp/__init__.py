"""The MCP server: tools, answers under 10 kB, and jobs for work that outlasts a client's patience."""
