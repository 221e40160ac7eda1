"""Tests Apache's mod_auth_openidc, a certified relying party: sign-in, a protected page, and sign-out in a browser.

The module validates signature, issuer, audience, nonce, times, hashes, and the subject of userinfo.
"""
import os, signal, socket, subprocess, time

import pytest
import requests

import chromium
import judge
from judge import CONTOSO, RELYING_PARTY, SECRETS

MODULES = "/usr/lib/apache2/modules"
CONFIGURATION = """
ServerRoot "{folder}"
ServerName localhost
Listen 127.0.0.1:{port}
PidFile "{folder}/pid"
DefaultRuntimeDir "{folder}"
Mutex file:{folder} default
ErrorLog "{folder}/error.log"
LogLevel warn auth_openidc:info
{apache_user}
LoadModule mpm_event_module {modules}/mod_mpm_event.so
LoadModule authn_core_module {modules}/mod_authn_core.so
LoadModule authz_core_module {modules}/mod_authz_core.so
LoadModule authz_user_module {modules}/mod_authz_user.so
LoadModule dir_module {modules}/mod_dir.so
LoadModule include_module {modules}/mod_include.so
LoadModule mime_module {modules}/mod_mime.so
LoadModule filter_module {modules}/mod_filter.so
LoadModule auth_openidc_module {modules}/mod_auth_openidc.so
DocumentRoot "{folder}/pages"
DirectoryIndex index.shtml
TypesConfig /dev/null
AddType text/html .html .shtml
AddOutputFilter INCLUDES .shtml
StartServers 1
ThreadsPerChild 8
MinSpareThreads 2
MaxSpareThreads 8
MaxRequestWorkers 8
ServerLimit 1
OIDCProviderMetadataURL {base}/{tenant}/v2.0/.well-known/openid-configuration
OIDCClientID {client}
OIDCClientSecret {secret}
OIDCRedirectURI http://localhost:{port}/protected/back
OIDCCryptoPassphrase fake-and-only-for-this-run
OIDCScope "openid profile email offline_access"
OIDCRemoteUserClaim preferred_username
OIDCCABundlePath "{ca}"
OIDCResponseType "{response}"
{mode}
OIDCPKCEMethod S256
OIDCProviderTokenEndpointAuth {authentication}
OIDCHTTPTimeoutLong 20
OIDCRefreshAccessTokenBeforeExpiry 4000
<Directory "{folder}/pages">
  Options +Includes
  Require all granted
</Directory>
<Location /protected>
  AuthType openid-connect
  Require valid-user
</Location>
"""


class Apache:
    def __init__(self, emulator, folder, response, mode, authentication):
        self.folder = folder
        folder.chmod(0o755)
        (folder / "pages" / "protected").mkdir(parents=True)
        (folder / "pages" / "goodbye.html").write_text("<!DOCTYPE html><title>Goodbye</title><p>Goodbye")
        (folder / "pages" / "protected" / "index.shtml").write_text(
            '<!DOCTYPE html><title>Protected</title>'
            '<p id="user"><!--#echo var="REMOTE_USER" --></p><p id="name"><!--#echo var="OIDC_CLAIM_name" --></p>'
            '<p id="email"><!--#echo var="OIDC_CLAIM_email" --></p><p id="tid"><!--#echo var="OIDC_CLAIM_tid" --></p>'
            '<p id="token"><!--#echo var="OIDC_access_token" --></p>')
        (folder / "ca.pem").write_text(open(emulator.ca).read())
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        apache_user = "User nobody\nGroup nogroup" if os.geteuid() == 0 else ""
        (folder / "apache.conf").write_text(CONFIGURATION.format(
            folder=folder, port=self.port, modules=MODULES, base=emulator.base, tenant=CONTOSO, client=RELYING_PARTY,
            secret=SECRETS[RELYING_PARTY], ca=folder / "ca.pem", response=response, apache_user=apache_user,
            mode=f"OIDCResponseMode {mode}" if mode else "", authentication=authentication))
        environment = {k: v for k, v in os.environ.items() if "proxy" not in k.lower()}
        self.process = subprocess.Popen(
            ["timeout", "200", "/usr/sbin/apache2", "-d", str(folder), "-f", str(folder / "apache.conf"), "-DFOREGROUND"],
            env=environment, stdout=subprocess.DEVNULL, stderr=open(folder / "start.log", "w"), start_new_session=True)
        end = time.monotonic() + 15
        while True:
            try:
                assert requests.get(f"http://127.0.0.1:{self.port}/goodbye.html", timeout=5).status_code == 200
                return
            except requests.ConnectionError:
                assert self.process.poll() is None and time.monotonic() < end, (folder / "start.log").read_text() + self.log()
                time.sleep(0.05)

    def log(self):
        file = self.folder / "error.log"
        return file.read_text()[-3000:] if file.exists() else ""

    def stop(self):
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait(15)


@pytest.fixture(scope="module")
def browser(emulator):
    with chromium.opened(emulator) as browser:
        yield browser


@pytest.fixture
def apache(emulator, tmp_path_factory):
    started = []

    def start(response="code", mode=None, authentication="client_secret_basic"):
        folder = tmp_path_factory.mktemp("apache")
        # Apache's user needs access to the parent folders.
        for parent in (folder.parent, folder.parent.parent):
            parent.chmod(0o755)
        started.append(Apache(emulator, folder, response, mode, authentication))
        return started[-1]

    yield start
    for server in started:
        server.stop()


@pytest.mark.parametrize("response, mode, authentication", [
    ("code", None, "client_secret_basic"), ("code", "form_post", "client_secret_post"),
    ("code id_token", "fragment", "client_secret_post"), ("id_token token", "form_post", "client_secret_post"),
])
def test_sign_in_and_out_through_apache(emulator, browser, apache, response, mode, authentication):
    browser.inside.call("Storage.clearCookies")
    if response != "code":
        more = {"appId": RELYING_PARTY, "implicitIdTokens": True, "implicitAccessTokens": True}
        assert emulator.control("apps", [more]).status_code == 200
    server = apache(response, mode, authentication)
    home = f"http://localhost:{server.port}"
    try:
        _, seen = browser.sign_in(f"{home}/protected/", "adele@contoso.com", until=lambda page: page["title"] == "Protected")
    except AssertionError as problem:
        raise AssertionError(f"{problem}\nApache log: {server.log()}")
    assert [page["screen"] for page in seen if page["screen"] != "consent"] == ["username", "password"]
    shown = {name: browser.run(f"document.getElementById('{name}').innerText") for name in ("user", "name", "email", "tid", "token")}
    token = shown.pop("token")
    assert shown == {"user": "adele@contoso.com", "name": "Adele Vance", "email": "adele@contoso.com", "tid": CONTOSO}, server.log()
    # Apache's access token is valid. Apache refreshes the token if it expires in less than 4000 s.
    assert emulator.http.get(f"{emulator.base}/oidc/userinfo", headers={"Authorization": f"Bearer {token}"}).status_code == 200
    # The session is still valid.
    browser.open(f"{home}/protected/index.shtml")
    browser.until(lambda page: page["title"] == "Protected")
    # Sign-out in the application also signs out of the platform and redirects back.
    browser.open(f"{home}/protected/back?logout={home.replace(':', '%3A').replace('/', '%2F')}%2Fgoodbye.html")
    page = browser.until(lambda page: page["title"] == "Goodbye" or "logout" in page["url"] and page["buttons"])
    if page["title"] != "Goodbye":
        raise AssertionError(f"sign-out required confirmation despite id_token_hint: {page}")
    browser.open(f"{home}/protected/")
    browser.until(lambda page: page["screen"] == "username")
    assert "error" not in "".join(line for line in server.log().splitlines() if "oidc_" in line and ":error]" in line), server.log()
