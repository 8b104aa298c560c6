"""Environments: who sees what, secrets at rest, key rotation, the network policy."""

from __future__ import annotations

import io

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from tests.integration.conftest import Api
from toolkit_app.environments import environment_values
from toolkit_app.models import Environment, Secret
from toolkit_app.network import egress_policy
from toolkit_app.vault import VaultError

VALUE = "planted-secret-value-1"


@pytest.fixture
def prod(admin: Api) -> str:
    admin("POST", "environments/", {"name": "prod"})
    admin("PUT", "environments/prod/variables/BASE_URL/", {"value": "https://api.example.com"})
    made = admin("PUT", "environments/prod/secrets/API_KEY/", {"value": VALUE, "hosts": ["API.example.com", "b:8443"]})
    assert made.status_code == 200
    return "prod"


def test_a_secret_is_told_of_but_never_told(prod: str, admin: Api) -> None:
    answer = admin("GET", "environments/prod/")
    assert VALUE not in answer.content.decode()
    (secret,) = answer.json()["secrets"]
    assert secret["set"] is True
    assert secret["hosts"] == ["api.example.com", "b:8443"]
    assert secret["updated_by"] == "admin-user"


def test_authors_see_names_only(prod: str, author: Api, api: dict[str, Api]) -> None:
    seen = author("GET", "environments/prod/").json()
    assert seen["variables"][0]["name"] == "BASE_URL"
    assert "value" not in seen["variables"][0] or seen["variables"][0]["value"] is None
    assert "hosts" not in seen["secrets"][0] or seen["secrets"][0]["hosts"] is None
    assert api["operator"]("GET", "environments/prod/").status_code == 403
    assert api["operator"]("GET", "environments/").json()["results"][0]["name"] == "prod"


def test_what_uses_an_entry(prod: str, admin: Api) -> None:
    text = "name: uses_it\ndesc: x\nenv: [API_KEY]\nsteps: [{url: 'https://api.example.com/${env:API_KEY}'}]\n"
    assert admin("POST", "tools/", {"yaml": text}).status_code == 201
    assert admin("GET", "environments/prod/").json()["secrets"][0]["used_by"] == ["uses_it"]


def test_runs_draw_both(prod: str) -> None:
    values = environment_values("prod")
    assert values.env() == {"BASE_URL": "https://api.example.com", "API_KEY": VALUE}
    assert values.secrets[0].hosts == ("api.example.com", "b:8443")


def test_names_hosts_and_clashes(prod: str, admin: Api) -> None:
    assert admin("POST", "environments/", {"name": "PROD"}).status_code == 409
    assert admin("POST", "environments/", {"name": "生产"}).status_code == 400
    assert admin("PUT", "environments/prod/variables/API_KEY/", {"value": "x"}).status_code == 409
    assert admin("PUT", "environments/prod/secrets/BASE_URL/", {"value": "long-enough", "hosts": []}).status_code == 409
    assert admin("PUT", "environments/prod/variables/a.b/", {"value": "x"}).status_code == 400
    for host in ("https://api.example.com", "api.example.com/x", "a b"):
        refused = admin("PUT", "environments/prod/secrets/K/", {"value": "long-enough", "hosts": [host]})
        assert refused.status_code == 400, host
    assert admin("PUT", "environments/none/variables/A/", {"value": "x"}).status_code == 404
    assert admin("DELETE", "environments/prod/secrets/NONE/").status_code == 404


def test_a_secret_too_short_to_be_masked_is_refused_in_plain_words(prod: str, admin: Api) -> None:
    for short in ("", "abc"):
        refused = admin("PUT", "environments/prod/secrets/PIN/", {"value": short, "hosts": ["b"]})
        assert refused.status_code == 400
        (told,) = refused.json()["fields"]["value"]
        assert told.startswith("A secret needs at least 4 characters, since a shorter one can't be masked")
        assert told.endswith("or make it a variable if runs may show it.")
    assert admin("PUT", "environments/prod/secrets/PIN/", {"value": "abcd", "hosts": ["b"]}).status_code == 200


def test_delete(prod: str, admin: Api) -> None:
    assert admin("DELETE", "environments/prod/secrets/API_KEY/").status_code == 204
    assert admin("DELETE", "environments/prod/variables/BASE_URL/").status_code == 204
    assert admin("DELETE", "environments/prod/").status_code == 204
    assert not Environment.objects.exists()


def test_the_database_alone_tells_nothing(prod: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT wrapped_key, sealed_value FROM toolkit_app_secret")
        row = cursor.fetchone()
    assert VALUE.encode() not in bytes(row[0]) + bytes(row[1])


def test_a_value_swapped_into_another_row_is_noticed(prod: str, admin: Api) -> None:
    admin("PUT", "environments/prod/secrets/OTHER/", {"value": "another-value", "hosts": []})
    one, two = Secret.objects.get(name="API_KEY"), Secret.objects.get(name="OTHER")
    two.key_id, two.wrapped_key, two.sealed_value = one.key_id, one.wrapped_key, one.sealed_value
    two.save()
    with pytest.raises(VaultError, match="changed or moved"):
        environment_values("prod")


def test_rotation(prod: str) -> None:
    before = Secret.objects.get().key_id
    out = io.StringIO()
    call_command("rotate_keys", stdout=out)
    assert "1 secrets" in out.getvalue()
    assert Secret.objects.get().key_id != before
    assert environment_values("prod").secrets[0].value == VALUE
    assert before not in settings.KEY_FILE.read_text()


def test_the_network_is_strict_until_an_admin_opens_it(admin: Api) -> None:
    assert egress_policy("tools").allow == ()
    assert egress_policy("tools").allow_private is False
    rules = [
        {"address": "10.0.0.0/8", "for": "tools", "reason": "the office"},
        {"address": "ollama.internal:11434", "for": "models"},
        {"address": "192.168.1.7", "for": "both"},
    ]
    changed = admin("PATCH", "settings/", {"network": {"allow": rules}})
    assert changed.status_code == 200
    assert [rule["address"] for rule in changed.json()["network"]["allow"]] == [rule["address"] for rule in rules]
    assert [rule.address for rule in egress_policy("tools").allow] == ["10.0.0.0/8", "192.168.1.7"]
    assert [rule.address for rule in egress_policy("models").allow] == ["ollama.internal:11434", "192.168.1.7"]
    record = admin("GET", "audit/?action=settings").json()["results"][0]
    assert record["detail"]["after"][0]["reason"] == "the office"
    bad = admin("PATCH", "settings/", {"network": {"allow": [{"address": "http://x/", "for": "tools"}]}})
    assert bad.status_code == 400
    assert bad.json()["fields"]["network.allow.0.address"]
    assert len(admin("GET", "settings/").json()["network"]["allow"]) == 3
    assert admin("PATCH", "settings/", {"network": {"allow": []}}).json()["network"]["allow"] == []


def test_authors_see_which_models_there_are_and_no_address_or_key(admin: Api, author: Api) -> None:
    assert [row["name"] for row in author("GET", "models/").json()["results"]] == ["sandbox"]
    mine = {"name": "mine", "base_url": "https://models.example.com/v1", "reasoning": "big-1", "key": "not-to-be-seen"}
    changed = admin("PATCH", "settings/", {"models": {"providers": [mine], "default": "mine"}})
    assert changed.status_code == 200
    assert author("GET", "models/").json()["results"] == [
        {"name": "mine", "model": "big-1", "function": "", "default": True},
        {"name": "sandbox", "model": "sandbox", "function": "", "default": False},
    ]
