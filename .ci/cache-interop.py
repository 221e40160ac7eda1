"""The Python part of .ci/check-cache-interop: unmodified msal and msal-extensions from PyPI use the same cache file.

  add FILE NAME COUNT [PAUSE]   signs in accounts NAME-0 to NAME-(COUNT-1), with fake responses
  sign-in FILE UID UTID USERNAME [common]  one account of authflow's built-in directory, with a fake access token
  check FILE NAMES...           checks that all accounts exist with all entries, and prints missing ones
  silent FILE AUTHORITY USERNAME SCOPE  acquires a token from the cache with an msal application, offline
  json FILE...                  checks that the files are valid JSON
"""
import base64
import json
import sys
import time

import msal
import msal_extensions
from msal_extensions import FilePersistence, PersistedTokenCache

CLIENT = "6731de76-14a6-49ae-97bc-6eba6914391e"
HOST = "login.microsoftonline.com"
ALIASES = ["login.microsoftonline.com", "login.windows.net", "login.microsoft.com", "sts.windows.net"]


def encoded(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def answer(uid, utid, username, secret):
    claims = {"oid": uid, "tid": utid, "sub": uid, "preferred_username": username, "name": username.split("@")[0],
              "iss": "https://%s/%s/v2.0" % (HOST, utid), "aud": CLIENT, "exp": int(time.time()) + 3600,
              "iat": int(time.time())}
    return {
        "access_token": "at-" + secret, "refresh_token": "rt-" + secret, "token_type": "Bearer", "expires_in": 3600,
        "ext_expires_in": 7200, "scope": "User.Read openid profile", "client_info": encoded({"uid": uid, "utid": utid}),
        "id_token": "%s.%s.c2ln" % (encoded({"alg": "none"}), encoded(claims)),
    }


def add(cache, uid, utid, username, tenant=None):
    cache.add({
        "client_id": CLIENT, "scope": ["openid", "User.Read", "profile"], "grant_type": "authorization_code",
        "token_endpoint": "https://%s/%s/oauth2/v2.0/token" % (HOST, tenant or utid), "environment": HOST,
        "response": answer(uid, utid, username, uid), "params": {}, "data": {},
    })


def patiently(action):
    """Retries, because msal-extensions waits only five seconds for a lock."""
    for attempt in range(20):
        try:
            return action()
        except Exception as error:  # each lock implementation has its own LockError type
            if "ock" not in type(error).__name__ or attempt == 19:
                raise


def opened(path):
    return PersistedTokenCache(FilePersistence(path))


def check(path, names):
    cache = json.load(open(path))
    missing = []
    for name in names:
        for section in ("AccessToken", "RefreshToken", "IdToken", "Account"):
            if not any(entry.get("home_account_id") == name + ".tenant" for entry in cache.get(section, {}).values()):
                missing.append("%s of %s" % (section, name))
    if missing:
        sys.exit("lost: " + ", ".join(missing[:20]) + " (%d in all)" % len(missing))
    # msal must find them too.
    found = {account["home_account_id"] for account in opened(path).search("Account")}
    lost = [name for name in names if name + ".tenant" not in found]
    if lost:
        sys.exit("msal does not find " + ", ".join(lost))


class Offline:
    """Responds to the metadata requests of an application without a network."""

    class Response:
        status_code = 200
        headers = {}

        def __init__(self, value):
            self.text = json.dumps(value)

        def raise_for_status(self):
            pass

    def get(self, url, **_):
        if "discovery/instance" in url:
            return self.Response({"tenant_discovery_endpoint": "https://%s/common/v2.0/.well-known/openid-configuration" % HOST,
                                  "metadata": [{"preferred_network": HOST, "preferred_cache": "login.windows.net",
                                                "aliases": ALIASES}]})
        tenant = url.split("/")[3]
        base = "https://%s/%s" % (HOST, tenant)
        return self.Response({"authorization_endpoint": base + "/oauth2/v2.0/authorize",
                              "token_endpoint": base + "/oauth2/v2.0/token", "issuer": base + "/v2.0"})

    def post(self, url, **_):
        sys.exit("the token did not come from the cache; request: " + url)

    def close(self):
        pass


def silent(path, authority, username, scope):
    app = msal.PublicClientApplication(CLIENT, authority=authority, token_cache=opened(path), http_client=Offline())
    accounts = app.get_accounts(username)
    if len(accounts) != 1:
        sys.exit("msal finds %d accounts of %s" % (len(accounts), username))
    result = app.acquire_token_silent([scope], accounts[0])
    if not result or not result.get("access_token"):
        sys.exit("msal did not get a token: %s" % result)
    print(result["access_token"])


def main(command, path, *arguments):
    if command == "add":
        name, count = arguments[0], int(arguments[1])
        pause = float(arguments[2]) if len(arguments) > 2 else 0
        for number in range(count):
            uid = "%s-%d" % (name, number)
            # A new cache object each time, as in separate processes.
            patiently(lambda: add(opened(path), uid, "tenant", uid + "@contoso.example"))
            print(uid, flush=True)
            time.sleep(pause)
    elif command == "sign-in":
        add(opened(path), arguments[0], arguments[1], arguments[2], *arguments[3:])
    elif command == "check":
        check(path, arguments)
    elif command == "silent":
        silent(path, *arguments)
    elif command == "json":
        for file in (path, *arguments):
            try:
                json.load(open(file))
            except ValueError as error:
                sys.exit("%s: %s" % (file, error))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:])
