"""The HTTP gateway: transcodes the contract's JSON routes to its RPCs, and stands guard in front of them."""
