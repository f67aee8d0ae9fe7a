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
        self.workspace = None

    async def get(self, path):
        """Status, headers and text of a page."""
        return await raw(self.client, "GET", path, headers=cookie(self.session))

    async def post(self, path, **fields):
        """The same of what answers a form; a file is given as a tuple of its name, content and type."""
        sent = {"csrf": await self.token(path), **fields}
        data: aiohttp.FormData | dict[str, str] = sent
        if any(isinstance(one, tuple) for one in sent.values()):
            data = aiohttp.FormData()
            for name, value in sent.items():
                if isinstance(value, tuple):
                    data.add_field(name, value[1], filename=value[0], content_type=value[2])
                else:
                    data.add_field(name, value)
        if path == "/workspaces":
            self.workspace = None
        return await raw(self.client, "POST", path, headers=cookie(self.session), data=data)

    async def token(self, path):
        """That of the form for a path: what the switch at the top of every page says is chosen."""
        if any(view.homeless and view.pattern.fullmatch(path) for view in VIEWS):
            return protection.csrf_token(self.session)
        if self.workspace is None:
            _, _, page = await self.get("/account")
            chosen = re.search(r'name="organization_id" value="(\d+)"', page)
            switch = re.search(r'name="mode" value="(live|test)"', page)
            if not chosen or not switch:
                return protection.csrf_token(self.session)
            self.workspace = protection.Workspace(int(chosen[1]), switch[1] == "test")
        return protection.csrf_token(self.session, self.workspace)


async def raw(client, method, path, **more):
    """An answer that may be a page of an error."""
    url = f"{client._base}{path}"
    async with client._session.request(method, url, allow_redirects=False, **more) as response:
        return response.status, response.headers, (await response.read()).decode()
