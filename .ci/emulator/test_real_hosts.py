"""Tests clients without configuration: a loopback proxy redirects requests for the platform's hosts to the emulator.

With `--real-hosts`, the emulator's certificate is valid for these hosts. The proxy rejects and records other hosts.
"""
import asyncio, os, select, socket, socketserver, threading, webbrowser

import msal
import pytest
from azure.identity import ClientSecretCredential, InteractiveBrowserCredential

import judge
from judge import B2C, CONTOSO, CUSTOMERS, DAEMON, NATIVE, SECRETS, User, claims_of
from test_msal import good, interactive, sign_in

OPTIONS = ("--real-hosts",)
NAMES = ["login.microsoftonline.com", "login.windows.net", "login.microsoft.com", "sts.windows.net", "graph.microsoft.com",
         "microsoft.com", "fabrikamb2c.b2clogin.com", "contosocustomers.ciamlogin.com", "login.microsoftonline.us",
         "graph.microsoft.us", "login.partner.microsoftonline.cn"]


class Proxy(socketserver.ThreadingTCPServer):
    daemon_threads, allow_reuse_address = True, True

    def __init__(self, emulator):
        super().__init__(("127.0.0.1", 0), Tunnel)
        self.emulator, self.refused = emulator, []
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        pass  # the client closed the connection


class Tunnel(socketserver.BaseRequestHandler):
    def handle(self):
        head = b""
        while b"\r\n\r\n" not in head:
            part = self.request.recv(4096)
            if not part:
                return
            head += part
        method, target = head.split(b" ")[:2]
        host = target.decode().rsplit(":", 1)[0]
        if method != b"CONNECT" or host not in NAMES:
            self.server.refused.append(target.decode())
            self.request.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
            return
        self.request.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        with socket.create_connection(("127.0.0.1", self.server.emulator.port)) as server:
            while True:
                for one in select.select([self.request, server], [], [], 60)[0] or [None]:
                    data = one and one.recv(65536)
                    if not data:
                        return
                    (server if one is self.request else self.request).sendall(data)


@pytest.fixture(scope="module")
def proxy(emulator):
    proxy = Proxy(emulator)
    before = dict(os.environ)
    for name in ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"):
        os.environ[name] = proxy.url
    yield proxy
    os.environ.clear()
    os.environ.update(before)
    proxy.shutdown()
    proxy.server_close()
    assert proxy.refused == [], "a client requested another host"


@pytest.fixture
def someone(emulator, proxy):
    def make(username="megan@contoso.com", **more):
        return User(emulator, username, hosts=NAMES, proxies={"https": proxy.url}, **more)
    return make


@pytest.mark.parametrize("authority", [
    None, "https://login.microsoftonline.com/contoso.com", f"https://login.microsoftonline.com/{CONTOSO}",
    "https://login.windows.net/organizations"])
def test_msal(someone, authority):
    app = msal.PublicClientApplication(NATIVE, authority=authority)
    result = good(sign_in(app, someone()))
    assert result["id_token_claims"]["iss"] == f"https://login.microsoftonline.com/{CONTOSO}/v2.0"
    account, = app.get_accounts()  # triggers instance discovery, which returns the aliases
    assert good(app.acquire_token_silent(["User.Read"], account))["token_source"] == "cache"
    good(app.acquire_token_silent(["User.Read"], account, force_refresh=True))
    if authority:
        other = msal.PublicClientApplication(NATIVE, authority="https://sts.windows.net/contoso.com", token_cache=app.token_cache)
        assert len(other.get_accounts()) == 1, "accounts must be found by alias"


def test_msal_interactive(someone):
    result, opener = interactive(msal.PublicClientApplication(NATIVE), someone("alex@contoso.com"))
    assert opener.url.startswith("https://login.microsoftonline.com/common/")
    good(result)


def test_msal_password_with_realm_discovery(proxy):
    import warnings
    app = msal.PublicClientApplication(NATIVE, authority="https://login.microsoftonline.com/organizations")
    proxy.emulator.simulate({"consentGranted": {"user": "alan@contoso.com", "client": NATIVE, "scopes": ["User.Read"]}})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        good(app.acquire_token_by_username_password("alan@contoso.com", "Fake-Alan-1", ["User.Read"]))


def test_msal_device_code(someone, proxy):
    app = msal.PublicClientApplication(NATIVE)
    flow = app.initiate_device_flow(["User.Read"])
    assert flow["verification_uri"] == "https://microsoft.com/devicelogin"
    flow["interval"] = 1
    visitor = someone("bianca@contoso.com")
    page = visitor.visit(flow["verification_uri"], stop_at=("deviceCode",)).page
    assert visitor.fill(page, **{page.fields[0][0]: flow["user_code"]}).page.done
    good(app.acquire_token_by_device_flow(flow))


def test_msal_b2c(someone):
    app = msal.PublicClientApplication(
        NATIVE, authority="https://fabrikamb2c.b2clogin.com/fabrikamb2c.onmicrosoft.com/B2C_1_signupsignin")
    result = good(sign_in(app, someone("casey@example.com"), ["https://fabrikamb2c.onmicrosoft.com/helloapi/demo.read"]))
    assert result["id_token_claims"]["iss"] == f"https://fabrikamb2c.b2clogin.com/{B2C}/v2.0/"
    account, = app.get_accounts()
    good(app.acquire_token_silent(["https://fabrikamb2c.onmicrosoft.com/helloapi/demo.read"], account, force_refresh=True))


@pytest.mark.parametrize("how", ["authority", "oidc_authority"])
def test_msal_external_id(someone, how):
    url = {"authority": "https://contosocustomers.ciamlogin.com/",
           "oidc_authority": f"https://contosocustomers.ciamlogin.com/{CUSTOMERS}/v2.0"}[how]
    app = msal.PublicClientApplication(NATIVE, **{how: url})
    result = good(sign_in(app, someone("cara@example.org")))
    assert result["id_token_claims"]["tid"] == CUSTOMERS
    good(app.acquire_token_silent(["User.Read"], app.get_accounts()[0], force_refresh=True))


def test_msal_in_a_national_cloud(proxy):
    app = msal.PublicClientApplication(NATIVE, authority="https://login.microsoftonline.us/organizations")
    assert app.authority.token_endpoint == "https://login.microsoftonline.us/organizations/oauth2/v2.0/token"
    flow = app.initiate_device_flow(["User.Read"])
    assert flow["user_code"]


def test_azure_identity(someone):
    token = ClientSecretCredential(CONTOSO, DAEMON, SECRETS[DAEMON]).get_token("https://graph.microsoft.com/.default")
    assert claims_of(token.token)["appid"] == DAEMON
    from test_msal import Opener
    webbrowser.register("judge", None, Opener(someone("omar@contoso.com")), preferred=True)
    try:
        record = InteractiveBrowserCredential(timeout=30).authenticate()
    finally:
        webbrowser._tryorder.remove("judge")
    assert record.username == "omar@contoso.com" and record.authority == "login.microsoftonline.com"


def test_msgraph(proxy):
    from kiota_authentication_azure.azure_identity_authentication_provider import AzureIdentityAuthenticationProvider
    from msgraph import GraphServiceClient
    from msgraph.graph_request_adapter import GraphRequestAdapter

    async def go():
        credential = ClientSecretCredential(CONTOSO, DAEMON, SECRETS[DAEMON])
        provider = AzureIdentityAuthenticationProvider(credential, allowed_hosts=["graph.microsoft.com"])
        graph = GraphServiceClient(request_adapter=GraphRequestAdapter(provider))
        users = await graph.users.get()
        assert len(users.value) > 30
        assert (await graph.users.by_user_id("megan@contoso.com").get()).display_name == "Megan Bowen"
    asyncio.run(go())
