"""Tests protocol details of the platform with plain HTTP requests."""
import base64, hashlib, json, re, secrets, threading, uuid
from datetime import datetime, timezone
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

import judge
from judge import API, API_URI, CONTOSO, DAEMON, NATIVE, ONE_TENANT, SECRETS, SPA, SPA_REDIRECT, WEB, WEB_REDIRECT, claims_of

BASIC = "openid profile offline_access"


def authorize(emulator, tenant="common", client=NATIVE, redirect="http://localhost", scope=f"{BASIC} User.Read", **more):
    query = {"client_id": client, "response_type": "code", "redirect_uri": redirect, "scope": scope, "state": "s", **more}
    return f"{emulator.base}/{tenant}/oauth2/v2.0/authorize?{urlencode({k: v for k, v in query.items() if v is not None})}"


def redeem(emulator, code, redirect="http://localhost", client=NATIVE, tenant="common", headers=None, **more):
    return emulator.token(tenant, headers, client_id=client, grant_type="authorization_code", code=code,
                          redirect_uri=redirect, **more)


def signed_in(emulator, visitor, **more):
    landing = visitor.visit(authorize(emulator, **more))
    assert "code" in landing.parameters, landing
    redirect = more.get("redirect", "http://localhost")
    answer = redeem(emulator, landing.parameters["code"], redirect)
    assert answer.status_code == 200, answer.text
    return answer.json()


def refreshed(emulator, token, scope, tenant="common", **more):
    return emulator.token(tenant, client_id=NATIVE, grant_type="refresh_token", refresh_token=token, scope=scope, **more)


def refusal(answer, status, code, error, suberror=None):
    """Checks an error response: status, error, codes, description, error page, and telemetry header."""
    body = answer.json()
    assert answer.status_code == status, answer.text
    assert body["error"] == error and body["error_codes"] == [code], answer.text
    assert body["error_description"].startswith(f"AADSTS{code}: ")
    for word in ("Trace ID: " + body["trace_id"], "Correlation ID: " + body["correlation_id"],
                 "Timestamp: " + body["timestamp"]):
        assert word in body["error_description"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ", body["timestamp"])
    assert body["error_uri"].endswith(f"/error?code={code}")
    assert body.get("suberror") == suberror
    assert answer.headers["x-ms-request-id"] == body["trace_id"]
    assert answer.headers["x-ms-clitelem"].startswith(f"1,{code},{suberror or '0'},") \
        or answer.headers["x-ms-clitelem"].startswith(f"1,{code},0,")
    assert answer.headers["Cache-Control"] == "no-store, no-cache" and answer.headers["Pragma"] == "no-cache"
    return body


# --- discovery

@pytest.mark.parametrize("tenant, segment, issuer", [
    ("common", "common", "{tenantid}"), ("organizations", "organizations", "{tenantid}"),
    ("consumers", "consumers", judge.PERSONAL), (CONTOSO, CONTOSO, CONTOSO), ("contoso.com", CONTOSO, CONTOSO),
    ("Contoso.onmicrosoft.com", CONTOSO, CONTOSO),
])
def test_discovery(emulator, tenant, segment, issuer):
    answer = emulator.http.get(f"{emulator.base}/{tenant}/v2.0/.well-known/openid-configuration")
    body = answer.json()
    assert answer.status_code == 200 and body["issuer"] == f"{emulator.base}/{issuer}/v2.0"
    for name in ("authorization_endpoint", "token_endpoint", "jwks_uri", "device_authorization_endpoint",
                 "end_session_endpoint"):
        assert body[name].startswith(f"{emulator.base}/{segment}/"), body[name]
    for absent in ("grant_types_supported", "code_challenge_methods_supported", "introspection_endpoint"):
        assert absent not in body
    assert answer.headers["Content-Type"] == "application/json; charset=utf-8"
    keys = emulator.http.get(body["jwks_uri"]).json()["keys"]
    assert keys and all(key["kty"] == "RSA" and key["use"] == "sig" and key["kid"] == key["x5t"] and key["x5c"] for key in keys)
    for key in keys:
        digest = hashlib.sha1(base64.b64decode(key["x5c"][0])).digest()
        assert base64.urlsafe_b64encode(digest).decode().rstrip("=") == key["x5t"]


@pytest.mark.parametrize("path", ["v2.0/.well-known/openid-configuration", "oauth2/v2.0/token", "oauth2/v2.0/devicecode"])
def test_an_unknown_tenant_returns_an_oauth_error(emulator, path):
    url = f"{emulator.base}/nowhere.example/{path}"
    answer = emulator.http.get(url) if path.startswith("v2") else emulator.http.post(url, data={"client_id": NATIVE})
    body = answer.json()
    assert answer.status_code == 400 and body["error_codes"] == [90002], answer.text
    assert body["error"] in ("invalid_tenant", "invalid_request")
    assert body["error"] == "invalid_tenant" or not path.startswith("v2")
    for name in ("error_description", "timestamp", "trace_id", "correlation_id", "error_uri"):
        assert name in body


def test_an_invalid_tenant_name(emulator):
    answer = emulator.http.get(f"{emulator.base}/not-a-tenant/v2.0/.well-known/openid-configuration")
    assert answer.status_code == 400 and answer.json()["error_codes"] == [90002]


@pytest.mark.parametrize("host, is_known", [
    ("login.microsoftonline.com", True), ("login.windows.net", True), ("sts.windows.net", True),
    ("login.partner.microsoftonline.cn", True), ("login.microsoftonline.us", True), ("{self}", True),
    ("evil.example", False), ("login.microsoftonline.com.evil.example", False), ("localhost.evil.example", False),
    ("login.microsoftonline.com@evil.example", False),
])
def test_instance_discovery(emulator, host, is_known):
    host = host.replace("{self}", emulator.host)
    answer = emulator.http.get(f"{emulator.base}/common/discovery/instance", params={
        "api-version": "1.1", "authorization_endpoint": f"https://{host}/{CONTOSO}/oauth2/v2.0/authorize"})
    if not is_known:
        body = answer.json()
        assert answer.status_code == 400 and body["error"] == "invalid_instance" and body["error_codes"] == [50049]
        return
    body = answer.json()
    assert answer.status_code == 200
    assert body["tenant_discovery_endpoint"] == f"https://{host}/{CONTOSO}/v2.0/.well-known/openid-configuration"
    public = next(entry for entry in body["metadata"] if "login.windows.net" in entry["aliases"])
    assert public["preferred_network"] == "login.microsoftonline.com" and public["preferred_cache"] == "login.windows.net"


@pytest.mark.parametrize("alias", ["login.windows.net", "login.microsoft.com", "sts.windows.net"])
def test_an_alias_keeps_its_name_in_its_paths(emulator, alias):
    answer = emulator.http.get(f"{emulator.base}/common/v2.0/.well-known/openid-configuration", headers={"Host": alias})
    body = answer.json()
    assert body["issuer"] == "https://login.microsoftonline.com/{tenantid}/v2.0"
    assert body["token_endpoint"] == f"https://{alias}/common/oauth2/v2.0/token"


def test_user_realm(emulator):
    for name, kind in (("megan@contoso.com", "Managed"), ("x@nowhere.example", "Unknown")):
        for path in (f"common/userrealm/{name}", f"common/UserRealm/{name}"):
            body = emulator.http.get(f"{emulator.base}/{path}?api-version=1.0").json()
            assert body["account_type"] == kind and body["ver"] == "1.0"


# --- authorize

@pytest.mark.parametrize("redirect", [
    "http://localhost", "http://localhost/", "http://localhost:5000", "http://localhost:61234/"])
def test_localhost_matches_any_port(emulator, new_user, redirect):
    landing = new_user().visit(authorize(emulator, redirect=redirect))
    assert "code" in landing.parameters, landing
    assert urlsplit(landing.url).path == "/" and landing.url.endswith("#")
    answer = redeem(emulator, landing.parameters["code"], redirect)
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("redirect", [
    "http://localhost/other", "https://localhost", "http://localhost.evil.example", "http://evil.example",
    "http://localhost@evil.example/", "http://localhost:80@evil.example/", "javascript:alert(1)", "http://LOCALHOST/Other",
])
def test_other_redirects_stay_on_a_page(emulator, new_user, redirect):
    landing = new_user().visit(authorize(emulator, redirect=redirect))
    assert landing.page and landing.page.screen == "error" and landing.page.code == "AADSTS50011", landing


def test_authorize_does_not_require_openid(emulator, new_user):
    tokens = signed_in(emulator, new_user(), scope="User.Read")
    assert "id_token" not in tokens and "refresh_token" not in tokens
    tokens = signed_in(emulator, new_user(), scope="User.Read offline_access")
    assert "id_token" not in tokens and tokens["refresh_token"]


@pytest.mark.parametrize("change, code, error", [
    ({"response_type": None}, 900144, "invalid_request"), ({"scope": None}, 900144, "invalid_request"),
    ({"response_type": "magic"}, 70005, "unsupported_response_type"),
    ({"response_type": "id_token", "nonce": "n", "response_mode": "fragment"}, 700054, "unsupported_response_type"),
    ({"prompt": "none"}, 50058, "login_required"), ({"scope": "openid No.Such.Scope"}, 650053, "invalid_client"),
    ({"scope": "openid https://nowhere.example/read"}, 500011, "invalid_resource"),
])
def test_errors_that_reach_the_app(emulator, new_user, change, code, error):
    landing = new_user().visit(authorize(emulator, **change))
    assert landing.parameters.get("error") == error, landing
    assert landing.parameters["error_description"].startswith(f"AADSTS{code}"), landing
    assert landing.parameters["state"] == "s"


@pytest.mark.parametrize("tenant, client, code", [
    ("common", ONE_TENANT, "AADSTS50194"), ("consumers", ONE_TENANT, "AADSTS9002332"), ("fabrikam.com", ONE_TENANT, "AADSTS700016"),
    ("common", "d0000000-0000-4000-8000-00000000dead", "AADSTS700016"), ("consumers", API, "AADSTS9002332"),
    ("nowhere.example", NATIVE, "AADSTS90002"),
])
def test_errors_that_stay_on_a_page(emulator, new_user, tenant, client, code):
    landing = new_user().visit(authorize(emulator, tenant, client))
    assert landing.page and landing.page.code == code, landing


def test_state_is_returned_unchanged(emulator, new_user):
    state = "a b+c/=&?%20ü|{}~'\"\\"
    assert new_user().visit(authorize(emulator, state=state)).parameters["state"] == state


def test_consent_is_stored_and_only_new_scopes_require_it(emulator, new_user):
    visitor = new_user("jonas@contoso.com")
    signed_in(emulator, visitor)
    assert visitor.seen == ["username", "password", "consent"]
    another_browser = new_user("jonas@contoso.com")
    signed_in(emulator, another_browser)
    assert another_browser.seen == ["username", "password"]
    page = another_browser.visit(authorize(emulator, scope=f"{BASIC} User.Read Calendars.Read"), stop_at=("consent",)).page
    offered = [value for _, value, _ in page.checks]
    assert page.screen == "consent" and "Calendars.Read" in page.text and "User.Read" not in offered


def test_an_admin_only_scope_needs_an_admin(emulator, new_user):
    page = new_user().visit(authorize(emulator, scope=f"{BASIC} User.Read.All")).page
    assert page.screen == "adminApproval" and page.code == "AADSTS90094"
    assert "User.Read.All" in signed_in(emulator, new_user("adele@contoso.com"), scope=f"{BASIC} User.Read.All")["scope"]


def test_a_tenant_without_user_consent(emulator, new_user):
    page = new_user("nora@adatum.com").visit(authorize(emulator)).page
    assert page.screen == "adminApproval" and page.code == "AADSTS90094"


def test_several_accounts_in_one_browser(emulator, new_user):
    visitor = new_user("bianca@contoso.com")
    signed_in(emulator, visitor)
    visitor.username, visitor.secret = "carlos@contoso.com", "Fake-Carlos-1"
    signed_in(emulator, visitor, prompt="select_account")
    page = visitor.visit(authorize(emulator, prompt="select_account"), stop_at=("pickAccount",)).page
    assert {"bianca@contoso.com", "carlos@contoso.com", "another"} <= {value for _, value, _ in page.buttons}
    # Both users can sign in without a password.
    for name in ("bianca@contoso.com", "carlos@contoso.com"):
        visitor.username = name
        visitor.seen.clear()
        assert claims_of(signed_in(emulator, visitor)["id_token"])["preferred_username"] == name
        assert visitor.seen == ["pickAccount"]
        assert "code" in visitor.visit(authorize(emulator, prompt="none", login_hint=name)).parameters
    assert visitor.visit(authorize(emulator, prompt="none")).parameters["error"] in ("login_required", "interaction_required")


def test_logout_ends_the_session_and_redirects_only_to_registered_uris(emulator, new_user):
    visitor = new_user("umar@contoso.com")
    signed_in(emulator, visitor)
    url = f"{emulator.base}/common/oauth2/v2.0/logout?"
    elsewhere = visitor.visit(url + urlencode({"post_logout_redirect_uri": "https://evil.example/", "state": "x"}))
    assert elsewhere.page.screen == "signedOut"
    home = visitor.visit(url + urlencode({"post_logout_redirect_uri": WEB_REDIRECT, "state": "x"}))
    assert home.url.startswith(WEB_REDIRECT) and home.parameters["state"] == "x"
    assert visitor.visit(authorize(emulator, prompt="none")).parameters["error"] == "login_required"


@pytest.mark.parametrize("where", ["state", "login_hint", "error"])
def test_pages_escape_request_parameters(emulator, new_user, where):
    attack = "\"><script>alert(1)</script><img src=x onerror=alert(1)>"
    change = {where: attack, "response_mode": "form_post"}
    if where == "error":
        change = {"client_id": attack}
    answer = new_user().browser.get(authorize(emulator, **change))
    assert "<script>alert" not in answer.text and "<img" not in answer.text
    policy = answer.headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in policy or answer.headers.get("X-Frame-Options", "").upper() == "DENY"
    assert "default-src 'none'" in policy or "script-src" in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


# --- token endpoint

def test_one_refresh_token_many_resources_and_many_uses(emulator, new_user):
    tokens = signed_in(emulator, new_user("rosa@contoso.com"), scope=f"{BASIC} User.Read {API_URI}/Things.Read")
    first = tokens["refresh_token"]
    other = refreshed(emulator, first, f"{API_URI}/Things.Read")
    assert other.status_code == 200 and other.json()["scope"] == f"{API_URI}/Things.Read"
    assert claims_of(other.json()["access_token"])["aud"] == API
    for _ in range(3):
        again = refreshed(emulator, first, "User.Read")
        assert again.status_code == 200 and again.json()["refresh_token"]
        assert set(again.json()["scope"].split()) >= {"User.Read"}
    refusal(refreshed(emulator, first, f"{API_URI}/Things.Write"), 400, 65001, "invalid_grant", "consent_required")
    refusal(refreshed(emulator, first, "Mail.Read"), 400, 65001, "invalid_grant", "consent_required")
    # The response contains all granted scopes of the resource.
    widened = refreshed(emulator, first, f"{API_URI}/.default").json()
    assert {f"{API_URI}/Things.Read", f"{API_URI}/.default"} <= set(widened["scope"].split())


def test_one_code_eight_at_once(emulator, new_user):
    visitor = new_user("grete@contoso.com")
    for _ in range(5):
        code = visitor.visit(authorize(emulator)).parameters["code"]
        answers, start = [], threading.Barrier(8)

        def race():
            import requests
            with requests.Session() as session:
                session.verify, session.trust_env = emulator.ca, False
                session.get(f"{emulator.base}/common/discovery/v2.0/keys")  # opens the connection
                start.wait(20)
                answers.append(session.post(f"{emulator.base}/common/oauth2/v2.0/token", data={
                    "client_id": NATIVE, "grant_type": "authorization_code", "code": code, "redirect_uri": "http://localhost"}))

        threads = [threading.Thread(target=race) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(answer.status_code for answer in answers) == [200] + [400] * 7
        for answer in answers:
            if answer.status_code == 400:
                refusal(answer, 400, 54005, "invalid_grant")


@pytest.mark.parametrize("change, status, code, error", [
    ({"client_id": None}, 400, 900144, "invalid_request"), ({"grant_type": None}, 400, 900144, "invalid_request"),
    ({"grant_type": "magic"}, 400, 70003, "unsupported_grant_type"), ({"code": None}, 400, 900144, "invalid_request"),
    ({"code": "nonsense"}, 400, None, "invalid_grant"), ({"client_secret": "any"}, 401, 700025, "invalid_client"),
    ({"redirect_uri": "http://localhost/other"}, 401, 500112, "invalid_client"), ({"resource": "https://vault.azure.net"}, 400, 9010010, "invalid_target"),
])
def test_bad_token_requests(emulator, new_user, change, status, code, error):
    good = {"client_id": NATIVE, "grant_type": "authorization_code", "redirect_uri": "http://localhost",
            "code": new_user().visit(authorize(emulator)).parameters["code"]}
    answer = emulator.token("common", **{k: v for k, v in {**good, **change}.items() if v is not None})
    body = answer.json()
    assert body["error"] == error, answer.text
    if code:
        if code == 500112:
            assert answer.status_code in (400, 401) and body["error_codes"] == [500112]
        else:
            refusal(answer, status, code, error)


def test_a_get_of_the_token_endpoint(emulator):
    refusal(emulator.http.get(f"{emulator.base}/common/oauth2/v2.0/token"), 400, 900561, "invalid_request")


@pytest.mark.parametrize("client, secret, code", [(WEB, None, 7000218), (WEB, "wrong", 7000215)])
def test_a_confidential_app_must_authenticate(emulator, new_user, client, secret, code):
    landing = new_user().visit(authorize(emulator, client=client, redirect=WEB_REDIRECT))
    more = {"client_secret": secret} if secret else {}
    refusal(redeem(emulator, landing.parameters["code"], WEB_REDIRECT, client, **more), 401, code, "invalid_client")
    # The failed request has not used the code.
    answer = redeem(emulator, landing.parameters["code"], WEB_REDIRECT, client, client_secret=SECRETS[client])
    assert answer.status_code == 200, answer.text


def test_a_secret_by_basic_authentication(emulator):
    answer = emulator.http.post(f"{emulator.base}/{CONTOSO}/oauth2/v2.0/token", auth=(DAEMON, SECRETS[DAEMON]), data={
        "grant_type": "client_credentials", "scope": "https://graph.microsoft.com/.default"})
    assert answer.status_code == 200 and set(answer.json()) == {"token_type", "expires_in", "ext_expires_in", "access_token"}


def test_redirect_types_are_enforced(emulator, new_user):
    verifier = secrets.token_urlsafe(48)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    script = dict(client=SPA, redirect=SPA_REDIRECT)
    origin = {"Origin": "https://spa.example"}
    unprotected = new_user().visit(authorize(emulator, **script)).parameters
    assert unprotected["error"] == "invalid_request" and "AADSTS9002325" in unprotected["error_description"]
    protected = dict(script, code_challenge=challenge, code_challenge_method="S256")
    visitor = new_user()
    code = visitor.visit(authorize(emulator, **protected)).parameters["code"]
    refusal(redeem(emulator, code, SPA_REDIRECT, SPA, code_verifier=verifier), 400, 9002327, "invalid_request")
    code = visitor.visit(authorize(emulator, **protected)).parameters["code"]
    tokens = redeem(emulator, code, SPA_REDIRECT, SPA, headers=origin, code_verifier=verifier)
    assert tokens.status_code == 200 and tokens.headers["Access-Control-Allow-Origin"] in ("*", "https://spa.example")
    again = emulator.token("common", client_id=SPA, grant_type="refresh_token", scope="User.Read",
                           refresh_token=tokens.json()["refresh_token"])
    refusal(again, 400, 9002327, "invalid_request")
    code = new_user().visit(authorize(emulator, client=WEB, redirect=WEB_REDIRECT)).parameters["code"]
    refused = redeem(emulator, code, WEB_REDIRECT, WEB, headers=origin, client_secret=SECRETS[WEB])
    refusal(refused, 400, 9002326, "invalid_request")


def test_single_page_refresh_token_expires_after_a_day(alone):
    clean, new_user = alone, lambda: judge.User(alone)
    verifier = "v" * 43
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    origin = {"Origin": "https://spa.example"}
    code = new_user().visit(authorize(clean, client=SPA, redirect=SPA_REDIRECT, code_challenge=challenge,
                                    code_challenge_method="S256")).parameters["code"]
    token = redeem(clean, code, SPA_REDIRECT, SPA, headers=origin, code_verifier=verifier).json()["refresh_token"]

    def refresh(token):
        return clean.token("common", origin, client_id=SPA, grant_type="refresh_token", scope="User.Read", refresh_token=token)

    clean.simulate({"wait": "20h"})
    token = refresh(token).json()["refresh_token"]
    clean.simulate({"wait": "5h"})
    refusal(refresh(token), 400, 700084, "invalid_grant")


@pytest.mark.parametrize("origin", [
    "https://spa.example", "http://localhost:5173", "https://evil.example", "null", "https://spa.example.evil.example",
])
def test_every_origin_can_read_errors(emulator, origin):
    url = f"{emulator.base}/common/oauth2/v2.0/token"
    preflight = emulator.http.options(url, headers={
        "Origin": origin, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"})
    response = emulator.http.post(url, data={"client_id": SPA}, headers={"Origin": origin})
    assert preflight.headers["Access-Control-Allow-Origin"] == "*" and response.headers["Access-Control-Allow-Origin"] == "*"
    assert response.json()["error_codes"] == [900144]


@pytest.mark.parametrize("how", ["header", "query"])
def test_the_callers_request_id_is_the_correlation_id(emulator, how):
    wanted = str(uuid.uuid4())
    if how == "header":
        answer = emulator.token("common", {"client-request-id": wanted, "return-client-request-id": "true"}, client_id=NATIVE)
        assert answer.headers["client-request-id"] == wanted
    else:
        answer = emulator.http.get(f"{emulator.base}/common/oauth2/v2.0/authorize", params={
            "client_id": NATIVE, "redirect_uri": "http://localhost", "response_type": "magic", "scope": "openid",
            "client-request-id": wanted}, allow_redirects=False)
        landed = urlsplit(answer.headers["Location"])
        assert wanted in parse_qs(landed.query or landed.fragment)["error_description"][0]
        return
    assert answer.json()["correlation_id"] == wanted and wanted in answer.json()["error_description"]


def test_tokens_for_each_resource(emulator, new_user):
    tokens = signed_in(emulator, new_user(), scope=f"{BASIC} email User.Read {API_URI}/Things.Read", tenant=CONTOSO)
    graph = claims_of(tokens["access_token"])
    assert graph["ver"] == "1.0" and graph["iss"] == f"https://sts.windows.net/{CONTOSO}/"
    assert graph["aud"] in ("https://graph.microsoft.com", judge.GRAPH) and graph["upn"] == "megan@contoso.com"
    own = claims_of(refreshed(emulator, tokens["refresh_token"], f"{API_URI}/Things.Read").json()["access_token"])
    assert own["ver"] == "2.0" and own["iss"] == f"{emulator.base}/{CONTOSO}/v2.0" and own["aud"] == API
    identity = claims_of(tokens["id_token"])
    assert identity["aud"] == NATIVE and identity["ver"] == "2.0" and identity["oid"] == graph["oid"] == own["oid"]
    assert len({identity["sub"], graph["sub"], own["sub"]}) == 3, "sub is pairwise"
    assert identity["email"] == "megan@contoso.com" and "name" in identity
    assert "at_hash" not in identity and "c_hash" not in identity


def test_the_version_1_endpoints(emulator, new_user):
    discovery = emulator.http.get(f"{emulator.base}/{CONTOSO}/.well-known/openid-configuration").json()
    assert discovery["issuer"] == f"https://sts.windows.net/{CONTOSO}/" and "v2.0" not in discovery["token_endpoint"]
    url = f"{discovery['authorization_endpoint']}?{urlencode({'client_id': NATIVE, 'response_type': 'code', 'redirect_uri': 'http://localhost', 'resource': 'https://graph.microsoft.com'})}"
    code = new_user().visit(url).parameters["code"]
    body = emulator.http.post(discovery["token_endpoint"], data={
        "client_id": NATIVE, "grant_type": "authorization_code", "code": code, "redirect_uri": "http://localhost",
        "resource": "https://graph.microsoft.com"}).json()
    assert body["resource"] == "https://graph.microsoft.com" and isinstance(body["expires_in"], str) and body["expires_on"]


def test_admin_consent(emulator, new_user):
    query = {"client_id": NATIVE, "redirect_uri": "http://localhost/", "state": "s", "scope": "https://graph.microsoft.com/Directory.Read.All"}
    landing = new_user("adele@contoso.com").visit(f"{emulator.base}/contoso.com/v2.0/adminconsent?{urlencode(query)}")
    assert landing.parameters["admin_consent"] == "True" and landing.parameters["tenant"] == CONTOSO, landing
    assert "https://graph.microsoft.com/Directory.Read.All" in landing.parameters["scope"].split()
    visitor = new_user("farah@contoso.com")
    assert "Directory.Read.All" in signed_in(emulator, visitor, scope=f"{BASIC} Directory.Read.All")["scope"]
    assert "adminApproval" not in visitor.seen


def test_userinfo(emulator, new_user):
    tokens = signed_in(emulator, new_user(), scope=f"{BASIC} email")
    url = emulator.http.get(f"{emulator.base}/common/v2.0/.well-known/openid-configuration").json()["userinfo_endpoint"]
    assert url == f"{emulator.base}/oidc/userinfo"
    for method in ("GET", "POST"):
        body = emulator.http.request(method, url, headers={"Authorization": f"Bearer {tokens['access_token']}"}).json()
        assert body["name"] == "Megan Bowen" and body["email"] == "megan@contoso.com" and body["sub"]
    assert emulator.http.get(url).status_code == 401


# --- Graph

def test_graph_permissions_are_enforced(clean, new_user):
    emulator = clean  # without admin consent of other tests
    token = signed_in(emulator, new_user("vera@contoso.com"))["access_token"]
    assert emulator.graph("/me", token).json()["displayName"] == "Vera Petrova"
    for path, code in (("/users", "Authorization_RequestDenied"), ("/me/messages", "ErrorAccessDenied"),
                       ("/me/calendarView?startDateTime=2025-01-01T00:00:00Z&endDateTime=2025-01-02T00:00:00Z", "ErrorAccessDenied")):
        answer = emulator.graph(path, token)
        assert answer.status_code == 403 and answer.json()["error"]["code"] == code, answer.text
    for wrong in ("", "nonsense"):
        answer = emulator.http.get(f"{emulator.base}/v1.0/me", headers={"Authorization": f"Bearer {wrong}"} if wrong else {})
        assert answer.status_code == 401 and answer.json()["error"]["code"] == "InvalidAuthenticationToken"
        assert answer.headers["WWW-Authenticate"].startswith("Bearer ")


def test_continuous_access_evaluation(alone):
    clean, visitor = alone, judge.User(alone, "kiran@contoso.com")
    capable = json.dumps({"access_token": {"xms_cc": {"values": ["cp1"]}}})
    clean.simulate({"consentGranted": {"user": "kiran@contoso.com", "client": NATIVE, "scopes": ["User.Read", "User.RevokeSessions.All"]}})
    scope = f"{BASIC} User.Read User.RevokeSessions.All"
    tokens = signed_in(clean, visitor, scope=scope, claims=capable)
    assert tokens["expires_in"] > 70000
    revoked = clean.graph("/me/revokeSignInSessions", tokens["access_token"], "POST")
    assert revoked.status_code == 200 and revoked.json()["value"] is True
    # Graph rejects the token, even though its lifetime is a day.
    refused = clean.graph("/me", tokens["access_token"])
    challenge = refused.headers["WWW-Authenticate"]
    assert refused.status_code == 401 and 'error="insufficient_claims"' in challenge
    assert refused.json()["error"]["code"] == "InvalidAuthenticationToken"
    assert "TokenIssuedBeforeRevocationTimestamp" in refused.json()["error"]["message"]
    wanted = base64.b64decode(re.search('claims="([^"]+)"', challenge)[1]).decode()
    assert json.loads(wanted)["access_token"]["nbf"]["essential"] is True
    # The refresh token is revoked too.
    refusal(refreshed(clean, tokens["refresh_token"], "User.Read", claims=wanted), 400, 50173, "invalid_grant", "bad_token")
    # The user must sign in again, because the browser's session ended too.
    clean.simulate({"wait": "1s"})
    visitor.seen.clear()
    fresh = signed_in(clean, visitor, scope=scope, claims=wanted)
    assert "password" in visitor.seen
    assert clean.graph("/me", fresh["access_token"]).status_code == 200


def test_without_the_capability_a_token_stays_valid_for_an_hour(alone):
    clean = alone
    tokens = signed_in(clean, judge.User(alone, "kiran@contoso.com"))
    clean.simulate({"sessionsRevoked": "kiran@contoso.com"})
    assert clean.graph("/me", tokens["access_token"]).status_code == 200, "the client has not declared the capability"
    clean.simulate({"wait": "2h"})
    late = clean.graph("/me", tokens["access_token"])
    assert late.status_code == 401 and "insufficient_claims" not in late.headers["WWW-Authenticate"]


# --- time, control

def test_every_timestamp_follows_the_clock(alone):
    clean, new_user = alone, lambda: judge.User(alone)
    tokens = signed_in(clean, new_user())
    clean.simulate({"clock": "2031-05-06T07:08:09Z"})
    answer = clean.token("common", client_id=NATIVE)
    assert answer.json()["timestamp"].startswith("2031-05-06 07:08:"), answer.text
    assert "2031 07:08:" in answer.headers["Date"], answer.headers["Date"]
    graph = clean.graph("/me", tokens["access_token"])
    assert graph.status_code == 401, "the token has expired"
    assert graph.json()["error"]["innerError"]["date"].startswith("2031-05-06T07:08:")
    assert "2031 07:08:" in graph.headers["Date"]
    late = refreshed(clean, tokens["refresh_token"], "User.Read")
    refusal(late, 400, 700082, "invalid_grant")
    now = claims_of(signed_in(clean, new_user())["id_token"])
    assert abs(now["iat"] - datetime(2031, 5, 6, 7, 8, 9, tzinfo=timezone.utc).timestamp()) < 400
    clean.simulate({"clock": "2020-01-01T00:00:00Z"})
    assert clean.token("common", client_id=NATIVE).json()["timestamp"].startswith("2020-01-01 00:00:")
    page = clean.http.get(authorize(clean))
    cookies = page.headers.get("Set-Cookie", "").lower()
    assert "expires=" not in cookies or "2020" in cookies
