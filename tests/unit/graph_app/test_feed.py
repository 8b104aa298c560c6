"""What memory holds of live journals: never a gap."""

from __future__ import annotations

from graph_app.runs.feed import Feed


def test_memory_never_hides_what_another_process_wrote() -> None:
    feed = Feed()
    feed.publish("run", [(1, "a"), (2, "b")])
    feed.publish("run", [(9, "i")])
    assert feed.after("run", 2, 10) is None, "3 to 8 are in the database only"
    assert feed.after("run", 8, 10) == [(9, "i")]


def test_a_run_that_another_process_took_leaves_nothing() -> None:
    feed = Feed()
    woken: list[int] = []
    feed.publish("run", [(1, "a")])
    end = feed.subscribe("run", lambda: woken.append(1))
    feed.forget("run")
    assert feed.after("run", 0, 10) is None
    end()
    feed.publish("other", [(1, "a")])
    feed.forget("other")
    feed.forget("unknown")
    assert feed._channels == {}
