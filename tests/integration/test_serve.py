"""What the listening socket hands on to every connection."""

from __future__ import annotations

import socket
import sys

import pytest

from workbench.management.commands.serve import _listen


@pytest.mark.skipif(sys.platform != "linux", reason="the option is Linux's")
def test_a_peer_that_takes_nothing_is_cut_off_by_the_system() -> None:
    with _listen("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        accepted, _ = listening.accept()
        with accepted:
            assert 30_000 < accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) < 120_000
