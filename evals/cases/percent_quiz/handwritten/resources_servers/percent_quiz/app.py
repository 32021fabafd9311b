"""Percentages for NeMo Gym, written by hand. /verify scores the response to a row of data/*.jsonl."""

import re
from fractions import Fraction

from nemo_gym.base_resources_server import (
    BaseResourcesServerConfig,
    BaseVerifyRequest,
    BaseVerifyResponse,
    SimpleResourcesServer,
)


class PercentQuizConfig(BaseResourcesServerConfig):
    pass


class PercentQuizRequest(BaseVerifyRequest):
    hundredths: int


class PercentQuizServer(SimpleResourcesServer):
    config: PercentQuizConfig

    async def verify(self, body: PercentQuizRequest) -> BaseVerifyResponse:
        reward = score(body.response.output_text, Fraction(body.hundredths, 100))
        return BaseVerifyResponse(**body.model_dump(), reward=reward)


def score(text, right):
    filled = [line.strip() for line in text.splitlines() if line.strip()]
    found = re.fullmatch(r"ANSWER: (\d{1,15}\.?\d{0,15})", filled[-1], re.ASCII) if filled else None
    if not found:
        return 0.0
    away = abs(Fraction(found[1].rstrip(".")) - right)
    return 1.0 if not away else 0.5 if away < 1 else 0.0


if __name__ == "__main__":
    PercentQuizServer.run_webserver()
