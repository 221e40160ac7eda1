"""Tests in headless Chromium: interactive sign-in with msal and azure-identity, and attacks from web pages."""
import http.server, json, threading, time, webbrowser

import msal
import pytest
from azure.identity import InteractiveBrowserCredential

import chromium
import judge
from judge import CONTOSO, NATIVE, SPA
from test_rules import authorize


@pytest.fixture(scope="module")
def browser(emulator):
    with chromium.opened(emulator) as browser:
        yield browser


@pytest.fixture
def fresh(browser):
    """A browser without sessions."""
    browser.inside.call("Storage.clearCookies")
    return browser


def interactive(browser, acquire, username, **more):
    """Runs msal's blocking call while the user signs in."""
    opener = chromium.InsteadOfTheBrowser(browser)
    urls = threading.Event()
    opener.open = lambda url, new=0, autoraise=True: (setattr(opener, "url", url), urls.set(), True)[-1]
    webbrowser.register("judge", None, opener, preferred=True)
    result = {}

    def run():
        try:
            result["value"] = acquire()
        except Exception as problem:
            result["problem"] = problem

    thread = threading.Thread(target=run)
    thread.start()
    try:
        assert urls.wait(10), result
        _, seen = browser.sign_in(
            opener.url, username, until=lambda page: page["url"].startswith("http://localhost"), **more)
        thread.join(20)
    finally:
        webbrowser._tryorder.remove("judge")
    if "problem" in result:
        raise result["problem"]
    return result["value"], seen


def test_msal_interactive(emulator, fresh):
    app = msal.PublicClientApplication(NATIVE, authority=emulator.authority("common"), instance_discovery=False)
    result, seen = interactive(
        fresh, lambda: app.acquire_token_interactive(["User.Read"], timeout=40), "megan@contoso.com")
    assert "access_token" in result, result
    assert [page["screen"] for page in seen] == ["username", "password", "consent"]
    assert all(page["unlabeled"] == [] for page in seen), "every input must have a label"
    assert seen[0]["focused"] and seen[1]["focused"], "the first field must have the focus"
    assert "User.Read" in seen[2]["text"] and "A desktop app" in seen[2]["text"]
    # Single sign-on does not show a page.
    result, seen = interactive(
        fresh, lambda: app.acquire_token_interactive(["User.Read"], timeout=40), "megan@contoso.com")
    assert "access_token" in result and seen == []
    # Add a second account in the account picker.
    result, seen = interactive(
        fresh, lambda: app.acquire_token_interactive(["User.Read"], prompt="select_account", timeout=40), "alex@contoso.com")
    assert result["id_token_claims"]["preferred_username"] == "alex@contoso.com"
    assert [page["screen"] for page in seen][:3] == ["pickAccount", "username", "password"]
    assert len(app.get_accounts()) == 2
    result, seen = interactive(
        fresh, lambda: app.acquire_token_interactive(["User.Read"], timeout=40), "alex@contoso.com")
    assert result["id_token_claims"]["preferred_username"] == "alex@contoso.com"
    assert [page["screen"] for page in seen] == ["pickAccount"]


def test_msal_interactive_declined(emulator, fresh):
    app = msal.PublicClientApplication(NATIVE, authority=emulator.authority("common"), instance_discovery=False)
    result, _ = interactive(fresh, lambda: app.acquire_token_interactive(["User.Read"], timeout=40), "bianca@contoso.com",
                            consents=False)
    assert result["error"] == "access_denied", result


def test_azure_identity_interactive_with_a_second_factor(emulator, fresh):
    credential = InteractiveBrowserCredential(authority=emulator.base, disable_instance_discovery=True, timeout=40)
    token, seen = interactive(
        fresh, lambda: credential.get_token("https://graph.microsoft.com/.default", enable_cae=True), "otto@contoso.com")
    assert [page["screen"] for page in seen] == ["username", "password", "mfa"]  # Azure CLI is preauthorized
    assert emulator.graph("/me", token.token).json()["displayName"] == "Otto Falk"


def test_a_wrong_password_shows_an_error(emulator, fresh):
    fresh.open(authorize(emulator))
    fresh.until(lambda page: page["screen"] == "username")
    fresh.type("loginfmt", "megan@contoso.com")
    fresh.enter()
    fresh.until(lambda page: page["screen"] == "password")
    fresh.type("passwd", "wrong")
    fresh.enter()
    page = fresh.until(lambda page: page["code"] == "AADSTS50126")
    assert page["screen"] == "password" and fresh.run("!!document.querySelector('[role=alert]')")


def test_device_code(emulator, fresh):
    app = msal.PublicClientApplication(NATIVE, authority=emulator.authority("common"), instance_discovery=False)
    flow = app.initiate_device_flow(["User.Read"])
    flow["interval"] = 1
    fresh.open(flow["verification_uri"])
    page = fresh.until(lambda page: page["screen"] == "deviceCode")
    fresh.type(page["fields"][0][0], flow["user_code"].lower())
    fresh.press(lambda name, value, words, main: main)
    fresh.until(lambda page: page["screen"] == "username")
    fresh.sign_in(None, "kiran@contoso.com", until=lambda page: page["done"])
    result = app.acquire_token_by_device_flow(flow)
    assert result["id_token_claims"]["preferred_username"] == "kiran@contoso.com"


def test_signing_out(emulator, fresh):
    app = msal.PublicClientApplication(NATIVE, authority=emulator.authority("common"), instance_discovery=False)
    interactive(fresh, lambda: app.acquire_token_interactive(["User.Read"], timeout=40), "nadia@contoso.com")
    fresh.open(f"{emulator.base}/common/oauth2/v2.0/logout")
    page = fresh.until(lambda page: "common/oauth2/v2.0/logout" in page["url"])
    if page["screen"] != "signedOut":
        fresh.press(lambda name, value, words, main: main)
    fresh.until(lambda page: page["screen"] == "signedOut" and page["done"])
    fresh.open(authorize(emulator, prompt="none", redirect="http://localhost:9/"))
    page = fresh.until(lambda page: "chrome-error" in page["url"] or "error=" in page["url"])
    # No server listens at the redirect URI, so the URL is read from the browser's history.
    history = fresh.inside.call("Page.getNavigationHistory", fresh.session)["entries"]
    assert "error=login_required" in history[-1]["url"], history[-1]


class Elsewhere(http.server.BaseHTTPRequestHandler):
    """A web page from another origin."""

    def do_GET(self):
        body = b"<!DOCTYPE html><title>Elsewhere</title><p>Another site"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def elsewhere():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


SCRIPT = r"""
(async () => {
  const call = async (url, options) => {
    try { const answer = await fetch(url, options); return [answer.status, await answer.json()]; } catch (e) { return ['refused', String(e)]; }
  };
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  const form = more => ({method: 'POST', body: new URLSearchParams({client_id: CLIENT, ...more})});
  const first = await call(TOKEN, form({grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: 'v'.repeat(43)}));
  const second = first[0] === 200 ? await call(TOKEN, form({grant_type: 'refresh_token', refresh_token: first[1].refresh_token, scope: 'User.Read'})) : null;
  const me = second && second[0] === 200 ? await call(GRAPH + '/me', {headers: {Authorization: 'Bearer ' + second[1].access_token, 'client-request-id': crypto.randomUUID()}}) : null;
  return JSON.stringify([first, second, me]);
})()
"""


def test_a_single_page_app_fetches_its_tokens(emulator, fresh, elsewhere):
    """Like MSAL.js: code in the fragment, PKCE, and cross-origin requests from the page's script."""
    import base64, hashlib
    redirect = f"http://localhost:{elsewhere}/"
    challenge = base64.urlsafe_b64encode(hashlib.sha256(b"v" * 43).digest()).decode().rstrip("=")
    url = authorize(emulator, client=SPA, redirect=redirect, response_mode="fragment", code_challenge=challenge,
                    code_challenge_method="S256")
    fresh.sign_in(url, "megan@contoso.com", until=lambda page: page["title"] == "Elsewhere")
    script = SCRIPT
    for name, value in (("CLIENT", SPA), ("REDIRECT", redirect), ("TOKEN", f"{emulator.base}/common/oauth2/v2.0/token"),
                        ("GRAPH", f"{emulator.base}/v1.0")):
        script = script.replace(name, json.dumps(value))
    first, second, me = json.loads(fresh.run(script, waits=True))
    assert first[0] == 200 and first[1]["refresh_token"], first
    assert second[0] == 200, second
    assert me[0] == 200 and me[1]["displayName"] == "Megan Bowen", me


ATTACKS = r"""
(async () => {
  const base = BASE, tried = {};
  const attempt = async (name, action) => { try { tried[name] = await action(); } catch (e) { tried[name] = 'refused'; } };
  const body = JSON.stringify([{userDisabled: 'megan@contoso.com'}]);
  await attempt('read', async () => (await fetch(base + '/_authflow/state')).text());
  await attempt('post', async () => (await fetch(base + '/_authflow/events', {method: 'POST', body, headers: {'Content-Type': 'application/json'}})).status);
  for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
    await attempt('blind ' + type, async () => (await fetch(base + '/_authflow/events', {method: 'POST', mode: 'no-cors', credentials: 'include', body, headers: {'Content-Type': type}})).type);
  await attempt('reset', async () => (await fetch(base + '/_authflow/reset', {method: 'POST', mode: 'no-cors'})).type);
  await attempt('beacon', async () => navigator.sendBeacon(base + '/_authflow/events', new Blob([body], {type: 'text/plain'})));
  await attempt('token', async () => (await fetch(base + '/common/oauth2/v2.0/token', {method: 'POST', body: new URLSearchParams({client_id: 'x'})})).status);
  await new Promise(done => {
    const frame = document.createElement('iframe');
    frame.name = 'f'; frame.onload = () => setTimeout(done, 200); frame.src = 'about:blank';
    document.body.append(frame);
  });
  const form = document.createElement('form');
  form.action = base + '/_authflow/events'; form.method = 'post'; form.enctype = 'text/plain'; form.target = 'f';
  const input = document.createElement('input');
  input.name = '[{"userDisabled": "megan@contoso.com", "x": "'; input.value = '"}]';
  form.append(input); document.body.append(form); form.submit();
  await new Promise(done => setTimeout(done, 700));
  return JSON.stringify(tried);
})()
"""


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_page_of_another_origin_cannot_reach_the_control_interface(emulator, fresh, elsewhere, host):
    signed_in_before = emulator.control("tokens", {"user": "megan@contoso.com", "client": NATIVE, "scopes": ["User.Read"]})
    assert signed_in_before.status_code == 200
    users = emulator.state()["users"]
    fresh.open(f"http://{host}:{elsewhere}/")
    fresh.until(lambda page: page["title"] == "Elsewhere")
    tried = json.loads(fresh.run(ATTACKS.replace("BASE", json.dumps(emulator.base)), waits=True))
    # A page can read errors of the token endpoint but no tokens.
    assert tried["read"] == "refused" and tried["post"] == "refused" and tried["token"] == 400, tried
    # Even if the browser blocks the response, the request must not change state.
    answer = emulator.graph("/me", signed_in_before.json()["access_token"])
    assert answer.status_code == 200, answer.text
    still = emulator.token(CONTOSO, client_id=NATIVE, grant_type="refresh_token", scope="User.Read",
                           refresh_token=signed_in_before.json()["refresh_token"])
    assert still.status_code == 200, still.text
    assert emulator.state()["users"] == users


def test_the_pages_cannot_be_framed(emulator, fresh, elsewhere):
    fresh.open(f"http://127.0.0.1:{elsewhere}/")
    fresh.until(lambda page: page["title"] == "Elsewhere")
    fresh.run(f"""(() => {{ const f = document.createElement('iframe'); f.id = 'victim'; f.src = {json.dumps(authorize(emulator))};
      document.body.append(f); }})()""")
    time.sleep(1)
    frames = fresh.inside.call("Page.getFrameTree", fresh.session)["frameTree"].get("childFrames", [])
    assert not any(frame["frame"]["url"].startswith(emulator.base) and not frame["frame"].get("unreachableUrl") for frame in frames), frames
