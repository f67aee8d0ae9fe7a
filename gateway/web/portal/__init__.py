"""The portal: what owners, office staff and developers see of their workspace, as pages without need of a script.

A page asks RPCs as the user whose session its cookie holds, and decides nothing itself: who may do what, and what is
valid, the server says.
"""

from gateway.web.portal.pages import BODY_LIMIT, HEADERS, Portal, Shown, View, Visit, files, sign_in_path

__all__ = ["BODY_LIMIT", "HEADERS", "Portal", "Shown", "View", "Visit", "files", "sign_in_path"]
