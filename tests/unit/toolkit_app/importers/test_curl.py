"""cURL commands as people copy them: what becomes of each, and that no credential stays in the tool."""

from __future__ import annotations

import shlex
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit_app.engine import check_tool, dump_tool, load_tool
from toolkit_app.importers import CurlError, CurlImport, read_curl, tool_of

CHROME = r"""curl 'https://api.github.com/repos/a/b/issues?state=open&per_page=5' \
  -H 'accept: application/vnd.github+json' \
  -H 'accept-language: de,en;q=0.9' \
  -H 'authorization: Bearer ghp_abcdefghijklmnopqrstuvwxyz0123' \
  -b 'sid=q1w2e3r4t5; theme=dark' \
  -H 'sec-ch-ua: "Chromium";v="128"' \
  -H 'sec-fetch-mode: cors' \
  -H 'user-agent: Mozilla/5.0 (X11; Linux x86_64)'"""
CHROME_POST = r"""curl 'https://shop.example/api/cart' \
  -H 'content-type: application/json' \
  --data-raw $'{"id":12345678901234567890,"note":"it\'s \u4f60\ud83d\ude00\u0021"}'"""
CHROME_CMD = (
    'curl ^"https://shop.example/api?x=1^&y=%^20^" ^\n  -H ^"accept: */*^" ^\n'
    '  --data-raw ^"^{^\\^"id^\\^":12345678901234567890,^\\^"t^\\^":^\\^"50^%^ off^\\^"^}^" ^\n  --insecure'
)
OLD_CMD = (
    'curl "https://shop.example/api" ^\r\n -H "accept: */*" ^\r\n --data-raw "{\\"a\\": \\"x & y\\"}" --compressed'
)
FIREFOX = (
    "curl 'https://shop.example/a' --compressed -X POST -H 'Accept-Encoding: gzip, deflate, br, zstd' "
    "-H 'Origin: https://shop.example' -H 'TE: trailers' -H 'Priority: u=0' --data-raw 'q=two+words&n=1'"
)
POSTMAN = """curl --location --request PUT 'https://api.example.com/v1/items/7' \\
--header 'Content-Type: application/json' \\
--header 'X-Api-Key: 3f9a8b7c6d5e4f3a' \\
--data '{
    "name": "Anna",
    "password": "correct horse"
}'"""
OPENAI = """curl https://api.openai.com/v1/chat/completions \\
  -H "Content-Type: application/json" \\
  -H "Authorization: Bearer $OPENAI_API_KEY" \\
  -d '{"model": "gpt-4o", "temperature": 0.7}' | jq ."""
POWERSHELL = (
    "curl.exe -X POST `\n  'https://api.example.com/it''s' `\n  -H \"X-Token: $env:MY_TOKEN\" `\n  -d '{\"a\": 1}'"
)


def fields(command: str) -> dict[str, Any]:
    """The step that a command gives; what it gives always loads."""
    found = read_curl(command)
    sound(found)
    return found.step.model_dump(exclude_unset=True)


def sound(found: CurlImport) -> str:
    text = dump_tool(tool_of(found, "t", "d"))
    assert check_tool(text)[1] == [], text
    assert load_tool(text).steps == [found.step]
    return text


def test_what_chrome_copies_for_bash() -> None:
    found = read_curl(CHROME)
    assert fields(CHROME) == {
        "url": "https://api.github.com/repos/a/b/issues",
        "method": "GET",
        "headers": {
            "accept": "application/vnd.github+json",
            "accept-language": "de,en;q=0.9",
            "authorization": "Bearer ${env:GITHUB_TOKEN}",
            "Cookie": "${env:GITHUB_COOKIE}",
            "user-agent": "Mozilla/5.0 (X11; Linux x86_64)",
        },
        "query": [{"key": "state", "value": "open"}, {"key": "per_page", "value": "5"}],
    }
    assert found.env == ("GITHUB_TOKEN", "GITHUB_COOKIE")
    assert [(need.part, need.field, need.host) for need in found.needs] == [
        ("header", "authorization", "api.github.com"),
        ("cookie", "Cookie", "api.github.com"),
    ]
    assert found.notes == ("Left out, as they only describe a browser: sec-ch-ua, sec-fetch-mode.",)


def test_what_chrome_copies_with_a_body() -> None:
    body = '{"id":12345678901234567890,"note":"it\'s 你😀!"}'
    assert fields(CHROME_POST) == {
        "url": "https://shop.example/api/cart",
        "method": "POST",
        "headers": {"content-type": "application/json"},
        "body": body,
    }


def test_what_chrome_copies_for_cmd() -> None:
    step = fields(CHROME_CMD)
    assert step["url"] == "https://shop.example/api"
    assert step["query"] == [{"key": "x", "value": "1"}, {"key": "y", "value": " "}]
    assert step["body"] == '{"id":12345678901234567890,"t":"50% off"}'
    assert "`--insecure`: Left out." in " ".join(read_curl(CHROME_CMD).notes)
    old = fields(OLD_CMD)
    assert (old["body"], old["headers"]["accept"]) == ('{"a": "x & y"}', "*/*")


def test_what_firefox_copies() -> None:
    found = read_curl(FIREFOX)
    assert found.step.method == "POST"
    assert found.step.body == "q=two+words&n=1"
    assert dict(found.step.headers) == {
        "Origin": "https://shop.example",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    told = " ".join(found.notes)
    assert "Accept-Encoding, TE" in told
    assert "Priority" in told
    assert "`--compressed`" in told


def test_what_postman_writes() -> None:
    found = read_curl(POSTMAN)
    assert found.step.method == "PUT"
    assert found.step.headers["X-Api-Key"] == "${env:EXAMPLE_API_KEY}"
    assert found.step.body == '{\n    "name": "Anna",\n    "password": "${env:EXAMPLE_PASSWORD}"\n}'
    assert found.env == ("EXAMPLE_API_KEY", "EXAMPLE_PASSWORD")


def test_what_descriptions_of_apis_give() -> None:
    found = read_curl(OPENAI)
    assert found.step.headers["Authorization"] == "Bearer ${env:OPENAI_API_KEY}"
    assert found.step.method == "POST"
    assert found.needs[0].name == "OPENAI_API_KEY"
    assert "`|`" in found.notes[-1]
    assert read_curl(POWERSHELL).step.headers["X-Token"] == "${env:MY_TOKEN}"
    assert read_curl(POWERSHELL).step.url == "https://api.example.com/it's"


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("curl https://e.com/a", {"method": "GET"}),
        ("$ curl -XDELETE https://e.com/a", {"method": "DELETE"}),
        ("curl --request=PATCH --url=https://e.com/a", {"method": "PATCH"}),
        ("curl -sSL https://e.com/a", {"method": "GET"}),
        ("curl -sXPOST https://e.com/a", {"method": "POST"}),
        ("curl --heade 'A: b' https://e.com/a", {"headers": {"A": "b"}}),
        ("curl -G -d a=1 --data-urlencode 'q=x y&z' https://e.com/a", {"query": [("a", "1"), ("q", "x y&z")]}),
        ("curl 'https://e.com/a?x=%E4%BD%A0&x=2'", {"url": "https://e.com/a", "query": [("x", "你"), ("x", "2")]}),
        ("curl 'https://e.com/a?x=1&flag'", {"url": "https://e.com/a?flag", "query": [("x", "1")]}),
        ("curl https://e.com/a?x=1&y=2", {"query": [("x", "1"), ("y", "2")]}),
        ("curl --url-query 'n=a b' https://e.com/a", {"query": [("n", "a b")]}),
        ("curl https://e.com/a --json '{\"n\": 1}'", {"body": '{"n": 1}', "method": "POST"}),
        ("curl https://e.com/a -d a=1 -d b=2", {"body": "a=1&b=2"}),
        ("curl https://e.com/a --data-urlencode 'n=ü &'", {"body": "n=%C3%BC%20%26"}),
        ("curl https://e.com/a -F 'n=x y' -F 'm=\"a;b\"'", {"body": "n=x%20y&m=a%3Bb"}),
        ("curl https://e.com/a -d '{\"x\": \"${y}\"}'", {"body": '{"x": "$${y}"}'}),
        ("curl https://e.com/a -m 2.5", {"timeout": 3}),
        ("curl https://e.com -A me -e r -r 1-", {"headers": {"User-Agent": "me", "Referer": "r", "Range": "bytes=1-"}}),
        ("curl https://e.com/a -H 'Accept:' -H 'X-Empty;' -H 'A: b: c'", {"headers": {"X-Empty": "", "A": "b: c"}}),
        ("curl https://e.com/a#top", {"url": "https://e.com/a"}),
        ("curl 'https://e.com/a b'", {"url": "https://e.com/a%20b"}),
        ("curl https://e.com/a \\   \n  -H 'A: b'", {"headers": {"A": "b"}}),
        ("curl https://e.com/a\n  -H 'A: b'", {"headers": {"A": "b"}}),
        ("curl https://e.com/a -d @- <<'EOF'\n{\"a\": 1}\nEOF\n", {"body": '{"a": 1}'}),
        ("curl https://e.com/a # comment -k", {"url": "https://e.com/a"}),
        (
            "curl '{{base-url}}/a?x={{Q}}' -H 'Authorization: Bearer {{token}}'",
            {
                "url": "${env:base-url}/a",
                "query": [("x", "${env:Q}")],
                "headers": {"Authorization": "Bearer ${env:token}"},
            },
        ),
        (
            "curl '{{base-url}}/a?x={{Q}}' -H 'Authorization: Bearer {{token}}'",
            {
                "url": "${env:base-url}/a",
                "query": [("x", "${env:Q}")],
                "headers": {"Authorization": "Bearer ${env:token}"},
            },
        ),
        ("curl \"$BASE/a?x=$Q\"", {"url": "${env:BASE}/a", "query": [("x", "${env:Q}")]}),
        ("curl 'https://api.telegram.org/bot123456:ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefgh/getMe'", {"url": "https://api.telegram.org/${env:TELEGRAM_KEY}/getMe"}),
    ],
)  # fmt: skip
def test_forms_of_options(command: str, wanted: dict[str, Any]) -> None:
    step = fields(command)
    if "query" in step:
        step["query"] = [(item["key"], item["value"]) for item in step["query"]]
    assert {key: step.get(key) for key in wanted} == wanted


SECRETS = [
    ("curl https://e.com -H 'Authorization: Bearer s3cr3t-value'", "header"),
    ("curl https://e.com -H 'Authorization: s3cr3t-value'", "header"),
    ("curl https://e.com -H 'Authorization: Basic s3cr3t-value'", "basic"),
    ("curl https://e.com -u 'me:s3cr3t-value'", "basic"),
    ("curl https://e.com -u s3cr3t-value:", "basic"),
    ("curl https://me:s3cr3t-value@e.com/x", "basic"),
    ("curl https://e.com --oauth2-bearer s3cr3t-value", "header"),
    ("curl https://e.com -b 'a=s3cr3t-value'", "cookie"),
    ("curl https://e.com -H 'Cookie: a=s3cr3t-value'", "cookie"),
    ("curl https://e.com -H 'X-Api-Key: s3cr3t-value'", "header"),
    ("curl https://e.com -H 'PRIVATE-TOKEN: s3cr3t-value'", "header"),
    ("curl https://e.com -H 'Ocp-Apim-Subscription-Key: s3cr3t-value'", "header"),
    ("curl https://e.com -H 'X-CSRFToken: s3cr3t-value'", "header"),
    ("curl 'https://e.com?api_key=s3cr3t-value'", "query"),
    ("curl 'https://e.com?appid=s3cr3t-value&q=x'", "query"),
    ("curl 'https://e.com?key=s3cr3t-value'", "query"),
    ("curl -G https://e.com -d accessToken=s3cr3t-value", "query"),
    ("curl https://e.com -d 'client_secret=s3cr3t-value&grant_type=x'", "body"),
    ("curl https://e.com -F client_secret=s3cr3t-value", "body"),
    ('curl https://e.com --json \'{"a": {"apiKey": "s3cr3t-value"}}\'', "body"),
    ('curl https://e.com --json \'{"password" : "s3cr3t-value"}\'', "body"),
]


@pytest.mark.parametrize(("command", "part"), SECRETS)
def test_no_credential_stays(command: str, part: str) -> None:
    found = read_curl(command)
    assert [need.part for need in found.needs] == [part]
    assert f"${{env:{found.needs[0].name}}}" in sound(found)
    assert "s3cr3t" not in f"{found!r}{sound(found)}"
    assert "czNjcjN0" not in sound(found), "nor in base64"
    assert found.needs[0].secret


def test_what_is_no_credential_stays() -> None:
    found = read_curl('curl \'https://e.com?page_token=abc&key_word=x\' --json \'{"max_tokens": 5, "key": "name"}\'')
    assert found.needs == ()
    assert found.step.body == '{"max_tokens": 5, "key": "name"}'


def test_one_value_has_one_name_and_two_have_two() -> None:
    found = read_curl(
        "curl https://e.com -H 'X-Key-Token: aaaaaaaa' -H 'Key-Token: aaaaaaaa' -H 'X-Token: b1' -d token=b2"
    )
    assert found.step.headers["X-Key-Token"] == found.step.headers["Key-Token"]
    assert len(set(found.env)) == 3


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("-k", "checks certificates"),
        ("--proxy http://p:1", "never through a proxy"),
        ("-c jar.txt", "no files"),
        ("-b jar.txt", "no files"),
        ("-d @body.json", "from a file"),
        ("--data-urlencode name@file", "from a file"),
        ("-H @headers.txt", "from a file"),
        ("-F 'f=@a.png'", "sends a file"),
        ("-T file.bin", "no files"),
        ("--cert c.pem", "certificate of its own"),
        ("--digest", "sign requests"),
        ("--aws-sigv4 aws:amz", "sign requests"),
        ("--resolve a:1:b", "way to a host"),
        ("--retry 3", "jump back"),
        ("-o out.json", "prints and keeps"),
        ("-L", "by itself"),
        ("-u a:b -H 'Authorization: Bearer c'", "`-u` was left out"),
        ("-d a=1 -F b=2", "one of `-d`, `-F`"),
        ("-d a=1 --json '{}'", "one of `-d`, `-F`"),
        ("-I", "no HEAD"),
        ("-X OPTIONS", "not OPTIONS"),
        ("--foo", "no such option"),
        ("--ftp-port 1", "nothing like it"),
        ("-H 'Content-Length: 3'", "sets them by itself: Content-Length"),
        ("-H 'If-None-Match: x'", "If-None-Match was left out"),
        ("-H 'no header'", "no name"),
        ("-H $'A: b\\nC: d'", "line break"),
        ("-H 'A: 1' -H 'a: 2'", "twice"),
        ("https://other.example", "2 addresses"),
        ("--next https://other.example", "another request"),
        ("&& rm -rf x", "What stands behind"),
        ("> out.json", "What stands behind"),
        ("2>&1", "What stands behind"),
        ("-d \"$(cat x)\"", "would run a command"),
    ],
)  # fmt: skip
def test_nothing_is_lost_in_silence(option: str, said: str) -> None:
    found = read_curl(f"curl https://e.com/[1-2] {option}")
    sound(found)
    assert said in " ".join(found.notes)
    assert any("several addresses" in note for note in found.notes)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("", "begin with `curl`"),
        ("wget https://e.com", "begin with `curl`"),
        ("curly https://e.com", "begin with `curl`"),
        ("curl", "names no address"),
        ("curl -k -H 'A: b'", "names no address"),
        ("curl ftp://e.com", "not to ftp"),
        ("curl file:///etc/passwd", "not to file"),
        ("curl http://", "no host"),
        ("curl http://[::1/x", "no host"),
        ("curl 'https://e.com", "line 1, column 6"),
        ('curl https://e.com \\\n -H "a', "line 2, column 5"),
        ("curl $'a", "never closed"),
        ('curl ^"a ^\n', "never closed"),
        ("curl https://e.com -d 'a\x00b'", "control character in line 1, column 25"),
        ("curl https://e.com \ufdd0", "control character"),
        ("curl " + "a" * 500_000, "longer than 500,000"),
    ],
)
def test_refusals_say_what_and_where(command: str, said: str) -> None:
    with pytest.raises(CurlError) as refused:
        read_curl(command)
    assert said in str(refused.value)


def test_refusals_hold_no_value() -> None:
    for command in ("curl -H 'Authorization: Bearer s3cr3t", "curl s3cr3t://e.com -u a:s3cr3t", "s3cr3t curl x"):
        with pytest.raises(CurlError) as refused:
            read_curl(command)
        assert "Bearer" not in str(refused.value)
        assert "e.com" not in str(refused.value)


HOSTILE = {
    "quotes": "curl " + "'a'" * 160_000,
    "escapes": 'curl "' + '\\"' * 240_000 + '"',
    "variables": "curl http://x/ -d " + '"$A" ' * 90_000,
    "carets": "curl ^\n" + "^a" * 240_000,
    "backticks": "curl `\n" + "`a" * 240_000,
    "headers": "curl http://x " + "-H a:b " * 70_000,
    "objects": "curl http://x -d '[" + '{"password":"abcdefgh"},' * 20_000 + "1]'",
    "nested": "curl http://x -d '" + "[" * 490_000 + "'",
    "flags": "curl -" + "s" * 490_000,
    "ampersands": "curl http://x?" + "a&" * 240_000,
    "breaks": "curl" + "\n" * 490_000,
    "heredoc": "curl http://x -d @- <<E\n" + "a\n" * 240_000,
    "globs": "curl http://x/" + "[a-" * 160_000,
    "backslashes": 'curl ^\n"' + "\\" * 490_000,
    "unknown": "curl http://x " + "--xyz " * 80_000,
    "blanks": "curl 'http://x' -d '{\"password\"" + " " * 480_000 + "'",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_commands_end_soon(name: str) -> None:
    began = time.perf_counter()
    try:
        read_curl(HOSTILE[name])
    except CurlError as error:
        assert len(str(error)) < 300
    assert time.perf_counter() - began < 10


WORD = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"), exclude_characters="\ufdd0\ufdd1"), max_size=40
)
VALUE = WORD.map(str.strip)


@settings(max_examples=150, deadline=None)
@given(
    names=st.lists(st.from_regex(r"[A-WYZ][a-z]{2,6}x", fullmatch=True), unique_by=str.lower, max_size=4),
    data=st.data(),
)
def test_what_a_shell_would_hand_over_is_what_the_step_has(names: list[str], data: st.DataObject) -> None:
    headers = {name: data.draw(VALUE) for name in names}
    body = data.draw(WORD.filter(lambda text: not text.startswith("@")))
    words = ["curl", "https://e.com/a", "--data-binary", body, "-H", "Content-Type: text/plain"]
    for name, value in headers.items():
        words += ["-H", f"{name}: {value}" if value else f"{name};"]
    found = read_curl(shlex.join(words))
    assert found.step.body == body.replace("${", "$${")
    kept = {name: value for name, value in found.step.headers.items() if name != "Content-Type"}
    if not found.needs:
        assert kept == {name: value.replace("${", "$${") for name, value in headers.items()}
    sound(found)


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from("curl -HdXGku'\"\\$^`{}[]()=:;&|<>@#%?/. \nabhtps"), max_size=120))
def test_any_text_gives_a_sound_step_or_a_refusal(text: str) -> None:
    try:
        found = read_curl(f"curl http://e.com {text}")
    except CurlError:
        return
    sound(found)
