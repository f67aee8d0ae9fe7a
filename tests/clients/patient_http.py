"""Asks once more than is allowed. Says for how many seconds it is to wait, and goes on when it is told to."""

import os

from patience import answered
from quotewright_client import AuthenticatedClient
from quotewright_client.api.quote import list_quotes

url, key = os.environ["QUOTEWRIGHT_URL"], os.environ["QUOTEWRIGHT_KEY"]


def wait(seconds: float) -> None:
    print(seconds, flush=True)
    input()


with AuthenticatedClient(url, token=key, prefix="", auth_header_name="X-API-Key") as client:
    for _ in range(2):
        assert answered(lambda: list_quotes.sync_detailed(client=client), wait).data == []
        print("answered", flush=True)
