"""The MCP server: tools, results under 10 kB, and jobs for work that outlasts a client's patience."""
