"""Configures a new glewlwyd server through its administration API: scopes, the OpenID Connect plugin, a public client,
and a user.

usage: glewlwyd-setup.py API CERTIFICATE SIGNING_KEY REDIRECT_URI

PERSON_USER, PERSON_PASSWORD  credentials of the user
"""
import json, os, ssl, subprocess, sys, urllib.error, urllib.request

api, certificate, signing_key, redirect = sys.argv[1:]
trust = ssl.create_default_context(cafile=certificate)
session = {}


def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(api + path, data, {"content-type": "application/json", **session}, method=method)
    try:
        return urllib.request.urlopen(request, context=trust)
    except urllib.error.HTTPError as error:
        sys.exit(f"{method} {path} returned {error.code}: {error.read().decode(errors='replace')}")


# The database script of the package creates this administrator.
response = call("POST", "/auth/", {"username": "admin", "password": "password"})
session["cookie"] = response.headers["set-cookie"].split(";")[0]

for scope in ("profile", "offline_access", "User.Read"):
    call("POST", "/scope/", {"name": scope, "display_name": scope, "password_required": False})

with open(signing_key) as file:
    private_key = file.read()
public_key = subprocess.run(
    ["openssl", "pkey", "-in", signing_key, "-pubout"], check=True, capture_output=True, text=True).stdout
call("POST", "/mod/plugin/", {"module": "oidc", "name": "oidc", "display_name": "OpenID Connect", "parameters": {
    "iss": api + "/oidc",
    "jwt-type": "rsa", "jwt-key-size": "256", "key": private_key, "cert": public_key, "default-kid": "test",
    "jwks-show": True,
    "code-duration": 600, "access-token-duration": 3600, "refresh-token-duration": 86400,
    "refresh-token-rolling": True, "refresh-token-one-use": "always",
    "auth-type-code-enabled": True, "auth-type-refresh-enabled": True, "auth-type-id-token-enabled": True,
    "auth-type-token-enabled": False, "auth-type-password-enabled": False, "auth-type-client-enabled": False,
    "auth-type-none-enabled": False,
    "auth-type-device-enabled": True, "device-authorization-expiration": 600, "device-authorization-interval": 1,
    "pkce-allowed": True, "pkce-required": True, "pkce-required-public-client": True,
    "subject-type": "public", "allowed-scope": ["openid"],
    "session-management-allowed": True, "session-cookie-name": "oidc_session", "session-cookie-expiration": 86400,
    # Without this, the sign-out page does not redirect to the app.
    "front-channel-logout-allowed": True,
}})

# By default, clients do not have the `post_logout_redirect_uris` property.
clients = json.load(call("GET", "/mod/client/database"))
clients["parameters"]["data-format"]["post_logout_redirect_uris"] = {"multiple": True, "read": True, "write": True}
call("PUT", "/mod/client/database", clients)
for action in ("disable", "enable"):
    call("PUT", f"/mod/client/database/{action}")

call("POST", "/client/?source=database", {
    "client_id": "authflow-native", "name": "authflow", "enabled": True, "confidential": False, "scope": [],
    "token_endpoint_auth_method": ["none"], "authorization_type": ["code", "refresh_token", "device_authorization"],
    "redirect_uri": [redirect], "post_logout_redirect_uris": [redirect]})
call("POST", "/user/?source=database", {
    "username": os.environ["PERSON_USER"], "password": os.environ["PERSON_PASSWORD"], "enabled": True,
    "name": "Alice Doe", "email": "alice@example.com",
    "scope": ["openid", "profile", "offline_access", "User.Read"]})
