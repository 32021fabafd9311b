"""A server for connect four: uvicorn server.app:app."""

from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.mcp_types import CallToolAction, CallToolObservation
from server.connect_four_environment import ConnectFourEnvironment

app = create_app(
    ConnectFourEnvironment,
    CallToolAction,
    CallToolObservation,
    env_name="connect_four_env",
    max_concurrent_envs=64,
)
