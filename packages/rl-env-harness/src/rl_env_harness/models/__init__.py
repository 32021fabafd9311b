"""What asks a model and reads its replies: servers of OpenAI's and Anthropic's APIs, and their habits."""
