"""OpenAPI documents, whose operations become tools."""
