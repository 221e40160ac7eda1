"""Lets glewlwyd's sign-out page lead back, as its administrator would: its logout lists are switched on, and clients
may name where they want to be led back to.

usage: glewlwyd-sign-out.py API CERTIFICATE REDIRECT_URI
"""
import json, ssl, sys, urllib.request

api, certificate, redirect = sys.argv[1:]
trust = ssl.create_default_context(cafile=certificate)


def call(method, path, body=None, cookie=None):
    headers = {"content-type": "application/json", **({"cookie": cookie} if cookie else {})}
    data = None if body is None else json.dumps(body).encode()
    return urllib.request.urlopen(urllib.request.Request(api + path, data, headers, method=method), context=trust)


answer = call("POST", "/auth/", {"username": "admin", "password": "password"})
cookie = answer.headers["set-cookie"].split(";")[0]


def change(module, make):
    settings = json.load(call("GET", f"/mod/{module}", cookie=cookie))
    make(settings["parameters"])
    call("PUT", f"/mod/{module}", settings, cookie)
    for action in ("disable", "enable"):
        call("PUT", f"/mod/{module}/{action}", cookie=cookie)


change("plugin/oidc", lambda it: it.update({"front-channel-logout-allowed": True, "back-channel-logout-allowed": True}))
several = {"multiple": True, "read": True, "write": True}
change("client/database", lambda it: it["data-format"].update({"post_logout_redirect_uris": several}))
client = json.load(call("GET", "/client/authflow-native?source=database", cookie=cookie))
client["post_logout_redirect_uris"] = [redirect]
call("PUT", "/client/authflow-native?source=database", client, cookie)
