"""The MCP server, with tools, results under 10 kB, and jobs for work that outlasts a client's patience."""
