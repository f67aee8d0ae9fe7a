"""The portal: what owners, office staff and developers see of their workspace, as pages without need of a script.

A page asks RPCs as the user whose session its cookie holds, and decides nothing itself: who may do what, and what is
valid, the server says. `view.py` tells what a page is, `portal.py` which there are; each area has a module.
"""

from gateway.web.portal.portal import BODY_LIMIT, HEADERS, Portal, files, sign_in_path
from gateway.web.portal.view import Shown, View, Visit

__all__ = ["BODY_LIMIT", "HEADERS", "Portal", "Shown", "View", "Visit", "files", "sign_in_path"]
