"""People: who is invited, and as what."""

from __future__ import annotations

from playwright.sync_api import Page, expect


def test_somebody_invited_gets_the_least_role_unless_another_is_picked(ada: Page) -> None:
    ada.goto("/people")
    ada.get_by_role("button", name="Invite").click()
    dialog = ada.get_by_role("dialog", name="Invite")
    expect(dialog.get_by_role("combobox", name="Role")).to_have_value("Viewer")
    dialog.get_by_label("User name").fill("grace")
    dialog.get_by_role("button", name="Make the link").click()
    expect(ada.get_by_role("dialog", name="grace is invited")).to_be_visible()
    invited = ada.request.get("/api/v1/users/").json()["results"]
    assert [user["role"] for user in invited if user["username"] == "grace"] == ["viewer"]
