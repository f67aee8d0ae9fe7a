"""A visitor of the portal without a browser: what it sends and what it is shown."""

from __future__ import annotations

import re

import aiohttp

from gateway.web.portal import protection
from gateway.web.portal.portal import VIEWS

#: What browsers ask for.
HTML = {"Accept": "text/html"}
#: Paths of pages, with their variables, that ask for a session.
SAFE = [view.template for view in VIEWS if view.show and not view.public]


def path_of(template):
    """A path that a template describes."""
    return re.sub(r"\{\w+\}", "7", template)


def cookie(session):
    """The headers of somebody who is signed in."""
    return {"Cookie": f"{protection.SESSION_COOKIE}={session}", **HTML}


class Browser:
    """A user with a session, who fills in the forms that the pages show."""

    def __init__(self, client, session):
        self.client, self.session = client, session

    async def get(self, path):
        """Status, headers and text of a page."""
        return await raw(self.client, "GET", path, headers=cookie(self.session))

    async def post(self, path, **fields):
        """The same of what answers a form; a file is given as a tuple of its name, content and type."""
        sent = {"csrf": protection.csrf_token(self.session), **fields}
        data: aiohttp.FormData | dict[str, str] = sent
        if any(isinstance(one, tuple) for one in sent.values()):
            data = aiohttp.FormData()
            for name, value in sent.items():
                if isinstance(value, tuple):
                    data.add_field(name, value[1], filename=value[0], content_type=value[2])
                else:
                    data.add_field(name, value)
        return await raw(self.client, "POST", path, headers=cookie(self.session), data=data)


async def raw(client, method, path, **more):
    """An answer that may be a page of an error."""
    url = f"{client._base}{path}"
    async with client._session.request(method, url, allow_redirects=False, **more) as response:
        return response.status, response.headers, (await response.read()).decode()
