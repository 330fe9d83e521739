"""Code that takes the network away from an interpreter."""

from __future__ import annotations

WITHOUT_NETWORK = """
import socket
def refuse(*args, **kwargs):
    raise OSError("the network is blocked")
socket.getaddrinfo = socket.create_connection = socket.socket.connect = refuse
"""
