"""Tests msal for Python, configured only with the emulator's authority."""
import json, os, subprocess, sys, threading, time, webbrowser
from urllib.parse import parse_qs, urlsplit

import msal
import pytest
import requests

import judge
from judge import API, API_URI, B2C, CONTOSO, CUSTOMERS, DAEMON, NATIVE, SECRETS, WEB, WEB_REDIRECT, User, claims_of


def public(emulator, tenant=CONTOSO, client=NATIVE, **more):
    return msal.PublicClientApplication(client, authority=emulator.authority(tenant), instance_discovery=False, **more)


def confidential(emulator, tenant=CONTOSO, client=WEB, credential=None, **more):
    return msal.ConfidentialClientApplication(
        client, client_credential=credential or SECRETS[client], authority=emulator.authority(tenant),
        instance_discovery=False, **more)


def sign_in(app, visitor, scopes=("User.Read",), redirect="http://localhost:5000", **more):
    flow = app.initiate_auth_code_flow(list(scopes), redirect_uri=redirect, **more)
    landing = visitor.visit(flow["auth_uri"])
    assert landing.parameters, landing
    return app.acquire_token_by_auth_code_flow(flow, landing.parameters)


def good(result):
    assert "access_token" in result, result
    return result


class Opener(webbrowser.BaseBrowser):
    """A `webbrowser` implementation with a simulated user who signs in and sends the response to the app."""

    def __init__(self, visitor):
        super().__init__()
        self.visitor, self.landing, self.status, self.problem = visitor, None, None, None

    def open(self, url, new=0, autoraise=True):
        self.url = url
        self.thread = threading.Thread(target=self._walk, args=(url,), daemon=True)
        self.thread.start()
        return True

    def arrived(self):
        """Whether the app accepted the response. The app can get its token before the user has read the final page."""
        self.thread.join(30)
        return self.problem is None and self.status == 200

    def _walk(self, url):
        try:
            self.landing = self.visitor.visit(url)
            if self.landing.posted:
                answer = requests.post(self.landing.url, data=self.landing.parameters, timeout=20)
            else:
                answer = requests.get(self.landing.url, timeout=20)
            self.status = answer.status_code
        except Exception as problem:  # The test waits for the result and reports the error.
            self.problem = problem


def interactive(app, visitor, scopes=("User.Read",), **more):
    opener = Opener(visitor)
    webbrowser.register("judge", None, opener, preferred=True)
    try:
        result = app.acquire_token_interactive(list(scopes), timeout=30, **more)
    finally:
        webbrowser._tryorder.remove("judge")
    return result, opener


# --- authorization code

@pytest.mark.parametrize("tenant", ["common", "organizations", CONTOSO, "contoso.com", "contoso.onmicrosoft.com"])
def test_code_flow_with_every_authority(emulator, new_user, tenant):
    app = public(emulator, tenant)
    result = good(sign_in(app, new_user()))
    claims = result["id_token_claims"]
    assert claims["preferred_username"] == "megan@contoso.com"
    assert claims["tid"] == CONTOSO and claims["aud"] == NATIVE and claims["ver"] == "2.0"
    assert claims["iss"] == f"{emulator.base}/{CONTOSO}/v2.0"
    assert result["expires_in"] >= 3000 and result["token_type"] == "Bearer"
    account, = app.get_accounts()
    assert account["home_account_id"].endswith("." + CONTOSO)
    before = emulator.count()
    again = good(app.acquire_token_silent(["User.Read"], account))
    assert again["token_source"] == "cache" and again["access_token"] == result["access_token"]
    assert emulator.count() == before, "a cached token must not require a request"


def test_code_flow_with_an_oidc_authority(emulator, new_user):
    # msal compares the issuer with the configured authority.
    app = msal.PublicClientApplication(NATIVE, oidc_authority=f"{emulator.authority()}/v2.0")
    good(sign_in(app, new_user()))
    good(app.acquire_token_silent(["User.Read"], app.get_accounts()[0], force_refresh=True))


def test_code_flow_for_a_personal_account(emulator, new_user):
    app = public(emulator, "consumers")
    claims = good(sign_in(app, new_user("pat@outlook.com")))["id_token_claims"]
    assert claims["tid"] == judge.PERSONAL
    assert claims["oid"].startswith("00000000-0000-0000-")
    assert app.get_accounts()[0]["home_account_id"] == f"{claims['oid']}.{judge.PERSONAL}"


def test_code_flow_of_a_guest_returns_the_home_account(emulator, new_user):
    app = public(emulator, CONTOSO)
    result = good(sign_in(app, new_user("gina@fabrikam.com")))
    assert result["id_token_claims"]["tid"] == CONTOSO
    assert judge.FABRIKAM in result["id_token_claims"]["idp"]
    assert app.get_accounts()[0]["home_account_id"].endswith("." + judge.FABRIKAM)


@pytest.mark.parametrize("mode", ["query", "fragment", "form_post"])
def test_code_flow_in_every_response_mode(emulator, new_user, mode):
    app = public(emulator)
    flow = app.initiate_auth_code_flow(["User.Read"], redirect_uri="http://localhost:5000", response_mode=mode)
    landing = new_user().visit(flow["auth_uri"])
    assert landing.posted == (mode == "form_post")
    assert ("#code=" in landing.url) == (mode == "fragment")
    good(app.acquire_token_by_auth_code_flow(flow, landing.parameters))


def test_code_flow_of_a_web_app_by_secret(emulator, new_user):
    app = confidential(emulator, "common")
    good(sign_in(app, new_user(), redirect=WEB_REDIRECT))
    assert good(app.acquire_token_silent(["User.Read"], app.get_accounts()[0], force_refresh=True))["token_source"] == "identity_provider"


def test_max_age_adds_auth_time(emulator, new_user):
    # msal rejects an ID token if auth_time is missing or too old.
    assert good(sign_in(public(emulator), new_user(), max_age=600))["id_token_claims"]["auth_time"] > 0


def test_a_code_cannot_be_used_twice(emulator, new_user):
    app = public(emulator)
    flow = app.initiate_auth_code_flow(["User.Read"], redirect_uri="http://localhost:5000")
    parameters = new_user().visit(flow["auth_uri"]).parameters
    good(app.acquire_token_by_auth_code_flow(dict(flow), dict(parameters)))
    result = app.acquire_token_by_auth_code_flow(dict(flow), dict(parameters))
    assert result["error"] == "invalid_grant" and result["error_codes"] == [54005]


def test_a_wrong_verifier_is_rejected(emulator, new_user):
    app = public(emulator)
    flow = app.initiate_auth_code_flow(["User.Read"], redirect_uri="http://localhost:5000")
    parameters = new_user().visit(flow["auth_uri"]).parameters
    result = app.acquire_token_by_auth_code_flow(dict(flow, code_verifier="x" * 43), parameters)
    assert result["error"] == "invalid_grant" and result["error_codes"] == [501481]


def test_declined_consent_reaches_the_app(emulator, new_user):
    app = public(emulator)
    flow = app.initiate_auth_code_flow(["Files.Read"], redirect_uri="http://localhost:5000")
    parameters = new_user("nadia@contoso.com", consents=False).visit(flow["auth_uri"]).parameters
    assert parameters["error"] == "access_denied" and parameters["error_description"].startswith("AADSTS65004")
    assert app.acquire_token_by_auth_code_flow(flow, parameters)["error"] == "access_denied"


# --- silent and refresh

def test_forced_refresh_returns_a_new_token(emulator, new_user):
    app = public(emulator)
    first = good(sign_in(app, new_user()))
    second = good(app.acquire_token_silent(["User.Read"], app.get_accounts()[0], force_refresh=True))
    assert second["token_source"] == "identity_provider" and second["access_token"] != first["access_token"]


def test_a_refresh_token_is_valid_for_a_second_resource(emulator, new_user):
    app = public(emulator)
    wanted = ["User.Read"]
    flow = app.initiate_auth_code_flow(wanted, redirect_uri="http://localhost:5000")
    # The user consents to both resources, and the token is for the first one.
    uri = flow["auth_uri"].replace("scope=", f"scope={API_URI.replace(':', '%3A').replace('/', '%2F')}%2FThings.Read+", 1)
    good(app.acquire_token_by_auth_code_flow(flow, new_user("alex@contoso.com").visit(uri).parameters))
    second = good(app.acquire_token_silent([f"{API_URI}/Things.Read"], app.get_accounts()[0]))
    assert claims_of(second["access_token"])["aud"] == API
    assert claims_of(second["access_token"])["scp"] == "Things.Read"
    before = emulator.count()
    assert good(app.acquire_token_silent([f"{API_URI}/Things.Read"], app.get_accounts()[0]))["token_source"] == "cache"
    assert emulator.count() == before


def test_a_scope_without_consent_requires_interaction(emulator, new_user):
    visitor = new_user("emil@contoso.com")
    app = public(emulator)
    good(sign_in(app, visitor))
    account = app.get_accounts()[0]
    refused = app.acquire_token_silent_with_error(["Calendars.Read"], account)
    assert refused["error"] == "invalid_grant" and refused["suberror"] == "consent_required"
    assert refused["error_codes"] == [65001] and refused["classification"] == "consent_required"
    good(sign_in(app, visitor, ["Calendars.Read"], login_hint="emil@contoso.com"))
    assert "consent" in visitor.seen
    visitor.seen.clear()
    good(sign_in(app, visitor, ["Calendars.Read"], login_hint="emil@contoso.com"))
    assert visitor.seen == [], "the second sign-in must not show pages"


def test_tokens_of_a_capable_client_are_valid_for_a_day(emulator, new_user):
    app = public(emulator, client_capabilities=["CP1"])
    result = good(sign_in(app, new_user("kiran@contoso.com")))
    assert result["expires_in"] > 70000
    assert claims_of(result["access_token"])["xms_cc"] in (["CP1"], ["cp1"])
    assert good(sign_in(public(emulator), new_user("kiran@contoso.com")))["expires_in"] < 6000


# --- interactive: msal's own listener

@pytest.mark.parametrize("tenant", ["common", CONTOSO])
def test_interactive(emulator, new_user, tenant):
    visitor = new_user("dina@contoso.com")
    app = public(emulator, tenant)
    result, opener = interactive(app, visitor)
    good(result)
    assert opener.arrived(), opener.problem
    query = parse_qs(urlsplit(opener.url).query)
    assert query["response_mode"] == ["form_post"] and opener.landing.posted, "msal requests response_mode=form_post"
    assert query["redirect_uri"][0].startswith("http://localhost:")
    assert result["id_token_claims"]["preferred_username"] == "dina@contoso.com"
    visitor.seen.clear()
    good(interactive(app, visitor)[0])
    assert visitor.seen == [], "the browser session must sign in without pages"
    good(interactive(app, visitor, prompt="select_account")[0])
    assert visitor.seen == ["pickAccount"]
    visitor.seen.clear()
    good(interactive(app, visitor, prompt="login", login_hint="dina@contoso.com")[0])
    assert visitor.seen == ["password"]


def test_interactive_declined(emulator, new_user):
    result, _ = interactive(public(emulator), new_user("ines@contoso.com", consents=False))
    assert result["error"] == "access_denied"


def test_interactive_with_one_time_code(emulator, new_user):
    visitor = new_user("otto@contoso.com")
    good(interactive(public(emulator), visitor)[0])
    assert "mfa" in visitor.seen


# --- device code

def test_device_code(emulator, new_user):
    app = public(emulator, "common")
    flow = app.initiate_device_flow(["User.Read"])
    assert len(flow["user_code"]) == 9 and flow["interval"] == 5 and flow["expires_in"] == 900
    assert flow["user_code"] in flow["message"] and flow["verification_uri"] in flow["message"]
    flow["interval"] = 1
    pending = emulator.token("common", client_id=NATIVE, device_code=flow["device_code"],
                             grant_type="urn:ietf:params:oauth:grant-type:device_code")
    assert pending.status_code == 400 and pending.json()["error"] == "authorization_pending"
    assert pending.json()["error_codes"] == [70016]
    visitor = new_user("priya@contoso.com")
    page = visitor.visit(flow["verification_uri"], stop_at=("deviceCode",)).page
    end = visitor.fill(page, **{page.fields[0][0]: flow["user_code"]})
    assert end.page.done and end.page.screen == "deviceCode", end
    result = good(app.acquire_token_by_device_flow(flow))
    assert result["id_token_claims"]["preferred_username"] == "priya@contoso.com"
    before = emulator.count()
    assert good(app.acquire_token_silent(["User.Read"], app.get_accounts()[0]))["token_source"] == "cache"
    assert emulator.count() == before


@pytest.mark.parametrize("action, error", [("decline", "authorization_declined"), ("expire", "expired_token")])
def test_device_code_errors(emulator, action, error):
    app = public(emulator)
    flow = app.initiate_device_flow(["User.Read"])
    flow["interval"] = 1
    assert emulator.control(f"devices/{flow['user_code']}/{action}", {}).status_code == 200
    assert app.acquire_token_by_device_flow(flow)["error"] == error


# --- password

class Realms(requests.Session):
    """Records the responses of user realm discovery."""

    def __init__(self, emulator):
        super().__init__()
        self.realms = []
        self.verify = emulator.ca

    def request(self, method, url, **more):
        answer = super().request(method, url, **more)
        if "userrealm" in url.lower():
            self.realms.append(answer.json())
        return answer


def public_on_443(emulator, tenant=CONTOSO, **more):
    return msal.PublicClientApplication(
        NATIVE, authority=f"https://localhost/{tenant}", instance_discovery=False, **more)


@pytest.mark.parametrize("tenant", [CONTOSO, "organizations"])
def test_password(on_443, tenant):
    emulator = on_443
    session = Realms(emulator)
    app = public_on_443(emulator, tenant, http_client=session)
    unconsented = app.acquire_token_by_username_password("alan@contoso.com", "Fake-Alan-1", ["Files.Read"])
    assert unconsented["error_codes"] == [65001] and unconsented["suberror"] == "consent_required"
    emulator.simulate({"consentGranted": {"user": "alan@contoso.com", "client": NATIVE, "scopes": ["User.Read"]}})
    result = good(app.acquire_token_by_username_password("alan@contoso.com", "Fake-Alan-1", ["User.Read"]))
    assert result["id_token_claims"]["preferred_username"] == "alan@contoso.com"
    assert session.realms[-1]["account_type"] == "Managed" and session.realms[-1]["domain_name"] == "contoso.com"
    assert good(app.acquire_token_silent(["User.Read"], app.get_accounts()[0]))["token_source"] == "cache"


@pytest.mark.parametrize("username, secret, tenant, codes, error", [
    ("alan@contoso.com", "wrong", CONTOSO, [50126], "invalid_grant"),
    ("nobody@contoso.com", "wrong", CONTOSO, [50034], "invalid_grant"),
    ("mona@contoso.com", "Fake-Mona-1", CONTOSO, [50076], "invalid_grant"),
    ("paul@contoso.com", "Fake-Paul-1", CONTOSO, [50055], "invalid_grant"),
    ("dora@contoso.com", "Fake-Dora-1", CONTOSO, [50057], "invalid_grant"),
    ("alan@contoso.com", "Fake-Alan-1", "common", [9001023], "invalid_request"),
])
def test_password_errors(on_443, username, secret, tenant, codes, error):
    app = public_on_443(on_443, tenant, http_client=Realms(on_443))
    result = app.acquire_token_by_username_password(username, secret, ["User.Read"])
    assert result.get("error_codes") == codes and result["error"] == error, result
    if codes == [50055]:
        assert result["suberror"] == "user_password_expired"
    if codes == [50076]:
        assert result["suberror"] == "basic_action"


# --- client credentials

def test_client_credentials_by_secret(emulator):
    app = confidential(emulator, client=DAEMON)
    result = good(app.acquire_token_for_client(["https://graph.microsoft.com/.default"]))
    for absent in ("refresh_token", "id_token", "client_info", "scope"):
        assert absent not in result
    claims = claims_of(result["access_token"])
    assert set(claims["roles"]) == {"User.Read.All", "Mail.Send"} and claims["idtyp"] == "app"
    assert claims["ver"] == "1.0" and claims["iss"] == f"https://sts.windows.net/{CONTOSO}/" and claims["appidacr"] == "1"
    before = emulator.count()
    again = good(app.acquire_token_for_client(["https://graph.microsoft.com/.default"]))
    assert again["token_source"] == "cache" and emulator.count() == before
    claims = claims_of(good(app.acquire_token_for_client([f"{API_URI}/.default"]))["access_token"])
    assert claims["roles"] == ["Things.Read.All"] and claims["ver"] == "2.0" and claims["aud"] == API


def key_and_certificate():
    with open(os.environ["EMULATOR_KEY"]) as file:
        key = file.read()
    with open(os.environ["EMULATOR_CERTIFICATE"]) as file:
        return key, file.read()


def thumbprint(certificate):
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    return x509.load_pem_x509_certificate(certificate.encode()).fingerprint(hashes.SHA1()).hex()


@pytest.mark.parametrize("how", ["PS256 with x5c", "RS256 with a thumbprint"])
def test_client_credentials_by_certificate(emulator, how):
    key, certificate = key_and_certificate()
    credential = {"private_key": key, "public_certificate": certificate}
    if "thumbprint" in how:
        credential = {"private_key": key, "thumbprint": thumbprint(certificate)}
    app = confidential(emulator, client=DAEMON, credential=credential)
    result = good(app.acquire_token_for_client(["https://graph.microsoft.com/.default"]))
    assert claims_of(result["access_token"])["appidacr"] == "2"


def test_client_credentials_with_an_unregistered_certificate(emulator, tmp_path):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=nobody", "-days", "2",
         "-keyout", tmp_path / "key.pem", "-out", tmp_path / "cert.pem"], check=True, capture_output=True)
    credential = {"private_key": (tmp_path / "key.pem").read_text(),
                  "public_certificate": (tmp_path / "cert.pem").read_text()}
    app = confidential(emulator, client=DAEMON, credential=credential)
    result = app.acquire_token_for_client(["https://graph.microsoft.com/.default"])
    assert result["error"] == "invalid_client" and result["error_codes"] == [700027]


@pytest.mark.parametrize("client, credential, scope, tenant, codes, error", [
    (DAEMON, "wrong", "https://graph.microsoft.com/.default", CONTOSO, [7000215], "invalid_client"),
    (DAEMON, None, "User.Read", CONTOSO, [1002012], "invalid_scope"),
    (DAEMON, None, "https://nowhere.example/.default", CONTOSO, [500011], "invalid_resource"),
    (DAEMON, None, "https://graph.microsoft.com/.default", judge.PERSONAL, [9002332], "invalid_request"),
])
def test_client_credentials_errors(emulator, client, credential, scope, tenant, codes, error):
    app = confidential(emulator, tenant, client, credential)
    result = app.acquire_token_for_client([scope])
    assert (result.get("error_codes"), result.get("error")) == (codes, error), result


def test_an_unknown_app_is_rejected(emulator):
    app = confidential(emulator, client="d0000000-0000-4000-8000-00000000dead", credential="any")
    result = app.acquire_token_for_client(["https://graph.microsoft.com/.default"])
    assert result["error"] == "unauthorized_client" and result["error_codes"] == [700016]


# --- on behalf of

def test_on_behalf_of(emulator, new_user):
    app = public(emulator)
    token = good(sign_in(app, new_user("omar@contoso.com"), [f"{API_URI}/Things.Read"]))["access_token"]
    middle = confidential(emulator, client=API)
    result = good(middle.acquire_token_on_behalf_of(token, ["https://graph.microsoft.com/User.Read"]))
    claims = claims_of(result["access_token"])
    assert claims["appid"] == API and "User.Read" in claims["scp"].split() and claims["upn"] == "omar@contoso.com"
    refused = middle.acquire_token_on_behalf_of(result["access_token"], ["https://graph.microsoft.com/User.Read"])
    assert refused["error"] == "invalid_grant" and refused["error_codes"] == [50013], "the API must reject a token for Graph"


# --- forced errors

@pytest.mark.parametrize("require, code, suberror, has_claims", [
    ("mfa", 50079, "basic_action", True), ("block", 53003, "message_only", True),
    ("compliantDevice", 53000, None, None), ("passwordChange", 50125, None, None),
])
def test_a_policy_added_after_the_sign_in(clean, new_user, require, code, suberror, has_claims):
    app = public(clean)
    good(sign_in(app, new_user("lucia@contoso.com")))
    clean.simulate({"policyAdded": {"name": "Judged", "for": {"users": ["lucia@contoso.com"]}, "require": require}})
    result = app.acquire_token_silent_with_error(["User.Read"], app.get_accounts()[0], force_refresh=True)
    assert result["error"] in ("invalid_grant", "interaction_required") and result["error_codes"] == [code], result
    if suberror:
        assert result["suberror"] == suberror and result["classification"] == suberror
    if has_claims:
        assert json.loads(result["claims"])["access_token"]["capolids"]["essential"] is True


def test_the_claims_of_an_error_satisfy_the_policy(clean, new_user):
    visitor = new_user("marek@contoso.com")
    app = public(clean)
    good(sign_in(app, visitor))
    clean.simulate({"policyAdded": {"name": "Judged", "for": {"users": ["marek@contoso.com"]}, "require": "mfa"}})
    account = app.get_accounts()[0]
    refused = app.acquire_token_silent_with_error(["User.Read"], account, force_refresh=True)
    good(sign_in(app, visitor, claims_challenge=refused["claims"], login_hint="marek@contoso.com"))
    assert "mfa" in visitor.seen
    good(app.acquire_token_silent(["User.Read"], account, force_refresh=True))


@pytest.mark.parametrize("event, code, suberror", [
    ({"sessionsRevoked": "hiro@contoso.com"}, 50173, "bad_token"),
    ({"passwordChanged": "hiro@contoso.com"}, 50173, "bad_token"),
    ({"userDisabled": "hiro@contoso.com"}, 50057, None),
    ({"refreshTokenExpired": "hiro@contoso.com"}, 700082, None),
    ({"consentRevoked": {"user": "hiro@contoso.com", "client": NATIVE}}, 65001, "consent_required"),
])
def test_refresh_reports_account_events(clean, new_user, event, code, suberror):
    app = public(clean)
    good(sign_in(app, new_user("hiro@contoso.com")))
    clean.simulate(event)
    result = app.acquire_token_silent_with_error(["User.Read"], app.get_accounts()[0], force_refresh=True)
    assert result["error"] == "invalid_grant" and result["error_codes"] == [code], result
    assert result.get("suberror") == suberror or suberror is None
    assert result["error_description"].startswith(f"AADSTS{code}: ")
    assert result["error_uri"].endswith(f"/error?code={code}")


def test_an_injected_error_reaches_the_caller_unchanged(clean, new_user):
    app = public(clean)
    good(sign_in(app, new_user("sven@contoso.com")))
    claims = {"access_token": {"acrs": {"essential": True, "value": "c1"}}}
    clean.simulate({"fault": {"at": "token", "response": {"code": "AADSTS50158", "claims": claims}}})
    result = app.acquire_token_silent_with_error(["User.Read"], app.get_accounts()[0], force_refresh=True)
    assert result["error_codes"] == [50158] and json.loads(result["claims"]) == claims
    account = app.get_accounts()[0]
    app = public(clean, token_cache=app.token_cache)  # msal caches errors for a minute
    good(app.acquire_token_silent(["User.Read"], account, force_refresh=True))


def test_msal_caches_throttling_errors(clean, new_user):
    app = public(clean)
    good(sign_in(app, new_user("sven@contoso.com")))
    account = app.get_accounts()[0]
    clean.simulate({"fault": {"at": "token", "response": {"status": 429, "retryAfter": "7s"}, "times": 1}})
    before = clean.count()
    for _ in range(2):
        with_error = app.acquire_token_silent_with_error(["User.Read"], account, force_refresh=True)
        assert with_error is None or "access_token" not in with_error or with_error.get("token_source") == "cache"
    assert clean.count() == before + 1, "msal must respect Retry-After and send only one request"


# --- customers

def test_b2c(emulator, new_user):
    for form in ("{0}/b2c_1_signupsignin", "tfp/{0}/B2C_1_signupsignin"):
        authority = f"{emulator.base}/{form.format('fabrikamb2c.onmicrosoft.com')}"
        # msal recognizes this authority format. An authority that starts with tfp needs a flag.
        flags = {} if form.startswith("{") else {"instance_discovery": False}
        app = msal.PublicClientApplication(NATIVE, authority=authority, **flags)
        scope = "https://fabrikamb2c.onmicrosoft.com/helloapi/demo.read"
        result = good(sign_in(app, new_user("casey@example.com"), [scope]))
        assert result["id_token_claims"]["iss"] == f"{emulator.base}/{B2C}/v2.0/"
        policy = result["id_token_claims"].get("tfp") or result["id_token_claims"].get("acr")
        assert policy.lower() == "b2c_1_signupsignin"
        account, = app.get_accounts()
        assert account["home_account_id"].lower().endswith(B2C)
        good(app.acquire_token_silent([scope], account, force_refresh=True))


def test_external_id(emulator, new_user):
    app = public(emulator, "contosocustomers.onmicrosoft.com")
    result = good(sign_in(app, new_user("cara@example.org")))
    assert result["id_token_claims"]["tid"] == CUSTOMERS
    good(app.acquire_token_silent(["User.Read"], app.get_accounts()[0], force_refresh=True))


# --- concurrent processes

REFRESHER = """
import sys, time, msal, msal_extensions
authority, client, file, rounds = sys.argv[1:5]
cache = msal_extensions.PersistedTokenCache(msal_extensions.FilePersistence(file))
app = msal.PublicClientApplication(client, authority=authority, instance_discovery=False, token_cache=cache)
done = 0
for _ in range(1000):
    # The cache file can be empty while the other process writes it, so only the platform's responses are checked.
    account = (app.get_accounts() or [None])[0]
    result = account and app.acquire_token_silent_with_error(["User.Read"], account, force_refresh=True)
    if not result:
        time.sleep(0.01)
        continue
    assert "access_token" in result and result["token_source"] == "identity_provider", result
    done += 1
    if done == int(rounds):
        break
assert done == int(rounds), done
print("fresh")
"""


def test_two_processes_share_a_cache(emulator, new_user, tmp_path):
    import msal_extensions
    file = str(tmp_path / "cache.json")
    cache = msal_extensions.PersistedTokenCache(msal_extensions.FilePersistence(file))
    good(sign_in(public(emulator, token_cache=cache), new_user("tara@contoso.com")))
    command = [sys.executable, "-c", REFRESHER, emulator.authority(), NATIVE, file, "8"]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    for process in both:
        out, err = process.communicate(timeout=60)
        assert out == "fresh\n", err[-1500:]


def test_a_restarted_emulator_accepts_earlier_tokens(emulator, new_user):
    app = public(emulator)
    refresh = good(sign_in(app, new_user("quinn@contoso.com")))["refresh_token"]
    other = judge.Emulator()
    try:
        consent = {"consentGranted": {"user": "quinn@contoso.com", "client": NATIVE, "scopes": ["User.Read"]}}
        other.simulate(consent)
        answer = other.token(client_id=NATIVE, grant_type="refresh_token", refresh_token=refresh, scope="User.Read")
        assert answer.status_code == 200, answer.text
    finally:
        other.stop()
