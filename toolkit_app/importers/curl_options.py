"""The options of cURL: which take a value, and why one has no place in a tool.

Source: curl(1), version 8.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

_TAKES_VALUE = frozenset(
    """
    abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout connect-to
    continue-at cookie cookie-jar create-file-mode crlfile curves data data-ascii data-binary data-raw data-urlencode
    delegation dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers doh-url dump-header ech egd-file engine
    etag-compare etag-save expect100-timeout form form-string ftp-account ftp-alternative-to-user ftp-method ftp-port
    ftp-ssl-ccc-mode happy-eyeballs-timeout-ms haproxy-clientip header hostpubmd5 hostpubsha256 hsts interface ip-tos
    ipfs-gateway json keepalive-cnt keepalive-time key key-type krb libcurl limit-rate local-port login-options
    mail-auth mail-from mail-rcpt max-filesize max-redirs max-time netrc-file noproxy oauth2-bearer output output-dir
    parallel-max pass pinnedpubkey preproxy proto proto-default proto-redir proxy proxy-cacert proxy-capath proxy-cert
    proxy-cert-type proxy-ciphers proxy-crlfile proxy-header proxy-key proxy-key-type proxy-pass proxy-pinnedpubkey
    proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser proxy-user proxy1.0 pubkey
    quote random-file range rate referer request request-target resolve retry retry-delay retry-max-time sasl-authzid
    service-name socks4 socks4a socks5 socks5-gssapi-service socks5-hostname speed-limit speed-time stderr
    telnet-option tftp-blksize time-cond tls-max tls13-ciphers tlsauthtype tlspassword tlsuser trace trace-ascii
    trace-config unix-socket upload-file url url-query user user-agent variable vlan-priority write-out
    """.split()  # noqa: SIM905 - as a table it would be two pages long
)
_FLAGS = frozenset(
    """
    anyauth append basic ca-native cert-status compressed create-dirs crlf digest disable fail fail-early
    fail-with-body false-start form-escape get globoff head http0.9 http1.0 http1.1 http2 http2-prior-knowledge http3
    http3-only ignore-content-length include insecure ipv4 ipv6 junk-session-cookies keepalive list-only location
    location-trusted manual negotiate netrc netrc-optional next no-buffer no-clobber no-progress-meter ntlm ntlm-wb
    parallel parallel-immediate path-as-is post301 post302 post303 progress-bar progress-meter proxy-insecure
    proxytunnel raw remote-header-name remote-name remote-name-all remote-time remove-on-error retry-all-errors
    retry-connrefused show-error show-headers silent skip-existing ssl ssl-no-revoke ssl-reqd
    ssl-revoke-best-effort sslv2 sslv3 styled-output suppress-connect-headers tcp-fastopen tcp-nodelay tlsv1 tlsv1.0
    tlsv1.1 tlsv1.2 tlsv1.3 tr-encoding trace-ids trace-time use-ascii verbose version xattr
    """.split()  # noqa: SIM905
)
_SHORT = {
    "E": "cert", "K": "config", "C": "continue-at", "b": "cookie", "c": "cookie-jar", "d": "data", "D": "dump-header",
    "F": "form", "P": "ftp-port", "H": "header", "m": "max-time", "o": "output", "U": "proxy-user", "x": "proxy",
    "Q": "quote", "r": "range", "e": "referer", "X": "request", "Y": "speed-limit", "y": "speed-time",
    "t": "telnet-option", "z": "time-cond", "T": "upload-file", "u": "user", "A": "user-agent", "w": "write-out",
    "a": "append", "q": "disable", "f": "fail", "G": "get", "g": "globoff", "I": "head", "0": "http1.0",
    "i": "include", "k": "insecure", "4": "ipv4", "6": "ipv6", "j": "junk-session-cookies", "l": "list-only",
    "L": "location", "M": "manual", "n": "netrc", ":": "next", "N": "no-buffer", "Z": "parallel", "#": "progress-bar",
    "p": "proxytunnel", "J": "remote-header-name", "O": "remote-name", "R": "remote-time", "S": "show-error",
    "s": "silent", "2": "sslv2", "3": "sslv3", "1": "tlsv1", "B": "use-ascii", "v": "verbose", "V": "version",
}  # fmt: skip
_REASONS: dict[str, tuple[str, ...]] = {
    "prints": (
        "output", "output-dir", "dump-header", "write-out", "stderr", "trace", "trace-ascii", "trace-config",
        "trace-ids", "trace-time", "libcurl", "create-dirs", "create-file-mode", "fail", "fail-early",
        "fail-with-body", "include", "manual", "no-buffer", "no-clobber", "no-progress-meter", "progress-bar",
        "progress-meter", "remote-header-name", "remote-name", "remote-name-all", "remote-time", "remove-on-error",
        "show-error", "show-headers", "silent", "skip-existing", "styled-output", "suppress-connect-headers",
        "verbose", "version", "xattr", "parallel", "parallel-immediate", "parallel-max", "etag-save",
    ),
    "itself": (
        "compressed", "location", "globoff", "basic", "http0.9", "http1.0", "http1.1", "http2",
        "http2-prior-knowledge", "http3", "http3-only", "keepalive", "tcp-nodelay", "tcp-fastopen", "tlsv1", "tlsv1.0",
        "tlsv1.1", "tlsv1.2", "tlsv1.3", "ssl", "ssl-reqd", "disable", "path-as-is", "tr-encoding",
    ),
    "certificates": ("insecure", "proxy-insecure", "cacert", "capath", "ca-native", "ssl-no-revoke", "pinnedpubkey",
                     "ssl-revoke-best-effort", "crlfile", "cert-status"),
    "client": ("cert", "cert-type", "key", "key-type", "pass", "engine", "pubkey"),
    "proxy": ("proxy", "proxy-user", "proxy-header", "proxytunnel", "preproxy", "noproxy", "socks4", "socks4a",
              "socks5", "socks5-hostname", "proxy1.0"),
    "route": ("resolve", "connect-to", "interface", "unix-socket", "abstract-unix-socket", "ipv4", "ipv6",
              "dns-servers", "dns-interface", "doh-url", "local-port", "haproxy-clientip"),
    "sign": ("digest", "ntlm", "ntlm-wb", "negotiate", "anyauth", "aws-sigv4", "delegation"),
    "file": ("config", "netrc", "netrc-file", "netrc-optional", "cookie-jar", "upload-file", "hsts", "alt-svc",
             "etag-compare", "continue-at", "random-file"),
    "trusted": ("location-trusted",),
    "again": ("retry", "retry-delay", "retry-max-time", "retry-all-errors", "retry-connrefused"),
    "limits": ("connect-timeout", "speed-limit", "speed-time", "limit-rate", "max-filesize", "max-redirs", "rate",
               "keepalive-time", "keepalive-cnt", "expect100-timeout", "happy-eyeballs-timeout-ms"),
}  # fmt: skip
_REASON_OF = {name: reason for reason, names in _REASONS.items() for name in names}
_ALL = sorted(_TAKES_VALUE | _FLAGS)


@dataclass(frozen=True, slots=True)
class Option:
    """One option as it was given.

    Attributes:
        name: Its long name, or `url` for what is no option; as written where cURL has no such option.
        written: How it stands in the command, without its value.
        value: Its value; None for a flag.
        known: Whether cURL has it.
    """

    name: str
    written: str
    value: str | None = None
    known: bool = True

    @property
    def reason(self) -> str:
        """Why it has no place in a tool, by a word of `LEFT_OUT`."""
        return _REASON_OF.get(self.name, "other") if self.known else "unknown"


def read_options(words: Iterable[str]) -> list[Option]:
    """Read the words behind `curl`; options and addresses in their order."""
    found: list[Option] = []
    rest = iter(words)
    only_addresses = False
    for word in rest:
        if only_addresses or word == "-" or not word.startswith("-"):
            found.append(Option("url", "", word))
        elif word == "--":
            only_addresses = True
        elif word.startswith("--"):
            found.append(_long(word, rest))
        else:
            found += _short(word, rest)
    return found


def _long(word: str, rest: Iterable[str]) -> Option:
    written, equals, value = word.partition("=")
    wanted = written[2:]
    name = _full(wanted)
    if name is None and wanted.startswith(("no-", "expand-")) and (positive := _full(wanted.split("-", 1)[1])):
        if wanted.startswith("expand-"):
            return Option("variable", written, next(iter(rest), ""))
        return Option("progress-meter" if positive in _FLAGS else positive, written)
    if name is None:
        return Option(wanted, written[:40], value if equals else None, known=False)
    if name in _FLAGS:
        return Option(name, written)
    return Option(name, written, value if equals else next(iter(rest), ""))


def _full(wanted: str) -> str | None:
    """The option that a beginning of its name stands for."""
    if wanted in _TAKES_VALUE or wanted in _FLAGS:
        return wanted
    begun = [name for name in _ALL if name.startswith(wanted)] if len(wanted) > 1 else []
    return begun[0] if len(begun) == 1 else None


def _short(word: str, rest: Iterable[str]) -> list[Option]:
    found: list[Option] = []
    for index, letter in enumerate(word[1:], 1):
        name = _SHORT.get(letter)
        if name is None:
            found.append(Option(letter, f"-{letter}", known=False))
        elif name in _FLAGS:
            found.append(Option(name, f"-{letter}"))
        else:
            value = word[index + 1 :]
            found.append(Option(name, f"-{letter}", value if value else next(iter(rest), "")))
            break
        if len(found) > 40:
            break
    return found
