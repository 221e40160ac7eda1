"""Searches all output for secrets: unchanged, percent-encoded, escaped for JSON or HTML, in hexadecimal, in base64 and base64url at each
alignment, and as parts of JWTs. The secrets come from the recorded connections, the token caches, and the arguments.

  secrets.py FOLDER-OF-OUTPUTS --wire FILE… --store FILE… --given VALUE…
"""
import argparse
import base64
import html
import json
import os
import re
import sys
import urllib.parse

from counting import finish, passed

FORM = {"code", "code_verifier", "refresh_token", "passwd", "password", "otc", "client_secret", "id_token_hint", "device_code", "flow",
        "newpassword", "confirmpassword"}
ANSWER = {"access_token", "refresh_token", "id_token", "device_code"}
#: Shorter values occur by chance in any text. An empty value deletes a cookie.
SHORTEST = 8


def from_wire(data):
    text = data.decode("utf-8", "replace")
    found = set()
    for name, value in re.findall(r"(?:^|[?&\s#])([a-zA-Z_]+)=([^&\s\"'<>]+)", text):
        if name.lower() in FORM:
            found.add(urllib.parse.unquote_plus(value))
    for name, value in re.findall(r'"([a-z_]+)"\s*:\s*"([^"]+)"', text):
        if name in ANSWER:
            found.add(value)
    for value in re.findall(r"(?im)^set-cookie:\s*[^=;\s]+=([^;\r\n]+)", text):
        found.add(value)
    for line in re.findall(r"(?im)^cookie:\s*([^\r\n]+)", text):
        found.update(part.split("=", 1)[1] for part in line.split("; ") if "=" in part)
    for value in re.findall(r"(?im)^authorization:\s*\S+\s+(\S+)", text):
        found.add(value)
    return found


def from_store(text):
    """Returns the secrets in a token cache and the values of saved cookies."""
    found = set()

    def walk(value):
        if isinstance(value, dict):
            for name, inner in value.items():
                if name in ("secret", "value") and isinstance(inner, str):
                    found.add(inner)
                walk(inner)
        elif isinstance(value, list):
            for inner in value:
                walk(inner)

    walk(json.loads(text))
    return found


def forms(secret):
    raw = secret.encode()
    yield "as it is", secret
    quoted = {urllib.parse.quote(secret, safe=safe) for safe in ("", "/", "/+", "/=", "/+=", "/+=&'")} | {urllib.parse.quote_plus(secret)}
    for word in quoted - {secret}:
        yield "percent-encoded", word
        yield "percent-encoded in lower case", re.sub(r"%[0-9A-F]{2}", lambda m: m.group().lower(), word)
        yield "percent-encoded twice", urllib.parse.quote(word, safe="")
    in_json = {json.dumps(secret, ensure_ascii=ascii)[1:-1] for ascii in (True, False)}
    in_json |= {word.replace("/", "\\/") for word in in_json}
    in_json |= {word.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026").replace("'", "\\u0027") for word in in_json}
    for word in in_json - {secret}:
        yield "in JSON", word
        yield "in JSON in JSON", json.dumps(word, ensure_ascii=False)[1:-1]
    for word in {html.escape(inner, quote) for inner in in_json | {secret} for quote in (True, False)} - in_json - {secret}:
        yield "in HTML", word
        yield "in HTML with a decimal apostrophe", word.replace("&#x27;", "&#39;")
    yield "in hexadecimal", raw.hex()
    yield "in hexadecimal in upper case", raw.hex().upper()
    for shift in range(3):
        # The surrounding text affects only the first and last characters in base64.
        encoded = base64.b64encode(b"\0" * shift + raw).decode().rstrip("=")
        inner = encoded[(0, 2, 3)[shift]:len(encoded) - 1]
        if len(inner) >= SHORTEST:
            yield "in base64", inner
            yield "in base64url", inner.replace("+", "-").replace("/", "_")
    if re.fullmatch(r"[\w-]+\.[\w-]+\.[\w-]*", secret):
        header, payload, signature = secret.split(".")
        yield "its payload", payload
        if len(signature) >= SHORTEST:
            yield "its signature", signature


def opened(text):
    """Returns the text and its decoded base64 parts, such as the parts of JWTs."""
    inside = []
    for word in set(re.findall(r"[A-Za-z0-9+/_-]{16,}={0,2}", text)):
        try:
            word = word.rstrip("=").replace("-", "+").replace("_", "/")
            inside.append(base64.b64decode(word + "=" * (-len(word) % 4)).decode("utf-8", "replace"))
        except ValueError:
            continue
    return text + "\n" + "\n".join(inside)


def leaks(text, secrets):
    text = opened(text)
    return [(secret[:4] + "…", form) for secret in secrets for form, word in forms(secret) if word in text]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("outputs")
    parser.add_argument("--wire", nargs="*", default=[])
    parser.add_argument("--store", nargs="*", default=[])
    parser.add_argument("--given", nargs="*", default=[])
    arguments = parser.parse_args()
    secrets = set(arguments.given)
    for path in arguments.wire:
        secrets |= from_wire(open(path, "rb").read())
    for path in arguments.store:
        secrets |= from_store(open(path, encoding="utf-8").read())
    secrets = {secret for secret in secrets if len(secret) >= SHORTEST}
    assert len(secrets) >= 8, f"only {len(secrets)} secrets are known, so the search is not reliable"

    # Control: the search finds each secret in each encoding.
    for secret in secrets:
        for form, word in forms(secret):
            assert leaks(f"before {word} after", [secret]), (form, secret)
        jwt = ".".join(
            base64.urlsafe_b64encode(part.encode()).decode().rstrip("=")
            for part in ('{"alg":"none"}', json.dumps({"note": secret})))
        assert leaks(f"token {jwt}.c2lnbmF0dXJl", [secret]), secret

    passed("the search finds each secret in each encoding")
    files = [os.path.join(folder, name) for folder, _, names in os.walk(arguments.outputs) for name in names]
    bad = 0
    for path in sorted(files):
        found = leaks(open(path, "rb").read().decode("utf-8", "replace"), secrets)
        for secret, form in found:
            print(f"{path}: {secret} {form}", file=sys.stderr)
        bad += bool(found)
    assert len(files) >= 20, f"only {len(files)} outputs"
    if bad:
        sys.exit(f"{bad} of {len(files)} outputs contain a secret")
    passed(f"outputs that contain none of {len(secrets)} secrets", len(files))
    finish()


if __name__ == "__main__":
    main()
