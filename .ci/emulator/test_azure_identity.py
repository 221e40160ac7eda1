"""Tests azure-identity for Python, configured only with the emulator's authority."""
import os, threading, time, webbrowser

import pytest
import requests
from azure.core.exceptions import ClientAuthenticationError
from azure.identity import (
    AuthenticationRequiredError, AuthorizationCodeCredential, CertificateCredential, ClientSecretCredential,
    DeviceCodeCredential, EnvironmentCredential, InteractiveBrowserCredential, OnBehalfOfCredential,
    UsernamePasswordCredential)
from azure.identity.aio import ClientSecretCredential as AsyncClientSecretCredential

import judge
from judge import API, API_URI, AZURE_CLI, CONTOSO, DAEMON, NATIVE, SECRETS, WEB, WEB_REDIRECT, claims_of
from test_msal import Opener

GRAPH_DEFAULT = "https://graph.microsoft.com/.default"


@pytest.fixture
def flags(emulator):
    return dict(authority=emulator.base, disable_instance_discovery=True)


@pytest.fixture
def opener(new_user):
    """Replaces the browser that azure-identity opens with a simulated user."""
    made = []

    def make(username, **more):
        opener = Opener(new_user(username, **more))
        webbrowser.register("judge", None, opener, preferred=True)
        made.append(opener)
        return opener

    yield make
    while "judge" in webbrowser._tryorder:
        webbrowser._tryorder.remove("judge")


@pytest.mark.parametrize("continuous", [False, True])
def test_interactive_browser(emulator, flags, opener, continuous):
    opened = opener("rosa@contoso.com")
    credential = InteractiveBrowserCredential(timeout=30, **flags)
    record = credential.authenticate(scopes=[GRAPH_DEFAULT], enable_cae=continuous)
    assert opened.arrived(), opened.problem
    assert record.username == "rosa@contoso.com" and record.tenant_id == CONTOSO and record.client_id == AZURE_CLI
    assert record.authority == emulator.host and record.home_account_id.endswith("." + CONTOSO)
    before = emulator.count()
    token = credential.get_token(GRAPH_DEFAULT, enable_cae=continuous)
    assert emulator.count() == before, "the token must come from the cache"
    assert (token.expires_on - time.time() > 70000) == continuous
    assert emulator.graph("/me", token.token).json()["displayName"] == "Rosa Lindqvist"


def test_interactive_browser_with_custom_redirect_uri(flags, opener):
    import socket
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    opener("sven@contoso.com")
    credential = InteractiveBrowserCredential(
        client_id=NATIVE, tenant_id="contoso.com", redirect_uri=f"http://localhost:{port}", login_hint="sven@contoso.com",
        timeout=30, **flags)
    assert claims_of(credential.get_token(GRAPH_DEFAULT).token)["appid"] == NATIVE


def test_interactive_browser_without_automatic_authentication(emulator, flags, opener):
    opener("tara@contoso.com")
    credential = InteractiveBrowserCredential(timeout=30, disable_automatic_authentication=True, **flags)
    with pytest.raises(AuthenticationRequiredError):
        credential.get_token(GRAPH_DEFAULT)
    credential.authenticate(scopes=[GRAPH_DEFAULT])
    credential.get_token(GRAPH_DEFAULT)
    # A scope without consent requires user interaction.
    with pytest.raises(AuthenticationRequiredError) as refused:
        credential.get_token("https://graph.microsoft.com/Calendars.Read")
    assert list(refused.value.scopes) == ["https://graph.microsoft.com/Calendars.Read"]


def test_interactive_browser_declined(flags, opener):
    opener("vera@contoso.com", consents=False)
    with pytest.raises(ClientAuthenticationError, match="access_denied|65004|declined"):
        # The default client, Azure CLI, is preauthorized and does not require consent.
        InteractiveBrowserCredential(
            client_id=NATIVE, redirect_uri="http://localhost:8420", timeout=30, **flags).get_token(GRAPH_DEFAULT)


@pytest.mark.parametrize("continuous", [False, True])
def test_device_code(emulator, flags, new_user, continuous):
    seen = []

    def prompt(uri, code, expires):
        seen.append((uri, code))

        def type_it():
            visitor = new_user("will@contoso.com")
            page = visitor.visit(uri, stop_at=("deviceCode",)).page
            visitor.fill(page, **{page.fields[0][0]: code})

        threading.Thread(target=type_it, daemon=True).start()

    credential = DeviceCodeCredential(prompt_callback=prompt, tenant_id=CONTOSO, timeout=40, **flags)
    token = credential.get_token(GRAPH_DEFAULT, enable_cae=continuous)
    assert emulator.graph("/me", token.token).json()["displayName"] == "Will Adeyemi"
    assert (token.expires_on - time.time() > 70000) == continuous
    credential.get_token(GRAPH_DEFAULT, enable_cae=continuous)
    assert len(seen) == 1, "the second token must not require interaction"


def test_client_secret(emulator, flags):
    credential = ClientSecretCredential(CONTOSO, DAEMON, SECRETS[DAEMON], **flags)
    token = credential.get_token(GRAPH_DEFAULT, enable_cae=True)
    assert emulator.graph("/users?$top=1", token.token).status_code == 200
    before = emulator.count()
    assert credential.get_token(GRAPH_DEFAULT, enable_cae=True).token == token.token
    assert emulator.count() == before
    with pytest.raises(ClientAuthenticationError, match="AADSTS7000215"):
        ClientSecretCredential(CONTOSO, DAEMON, "wrong", **flags).get_token(GRAPH_DEFAULT)
    with pytest.raises(ClientAuthenticationError, match="AADSTS700016"):
        ClientSecretCredential(CONTOSO, "d0000000-0000-4000-8000-00000000dead", "x", **flags).get_token(GRAPH_DEFAULT)


def test_environment(emulator, monkeypatch):
    for name, value in {"AZURE_TENANT_ID": CONTOSO, "AZURE_CLIENT_ID": DAEMON, "AZURE_CLIENT_SECRET": SECRETS[DAEMON],
                        "AZURE_AUTHORITY_HOST": emulator.base}.items():
        monkeypatch.setenv(name, value)
    token = EnvironmentCredential(disable_instance_discovery=True).get_token(GRAPH_DEFAULT)
    assert claims_of(token.token)["appid"] == DAEMON


def test_client_secret_retries_transient_errors(clean, flags):
    # azure-core waits for Retry-After and retries.
    clean.simulate({"fault": {"at": "token", "response": {"status": 429, "retryAfter": "1s"}, "times": 1}},
                  {"fault": {"at": "token", "response": {"status": 503}, "times": 1}})
    began = time.monotonic()
    ClientSecretCredential(CONTOSO, DAEMON, SECRETS[DAEMON], **flags).get_token(GRAPH_DEFAULT)
    assert time.monotonic() - began >= 1
    assert all(fault["spent"] for fault in clean.state()["faults"])


def test_asynchronous_client_secret(flags):
    import asyncio

    async def go():
        from azure.core.pipeline.transport import AsyncioRequestsTransport
        async with AsyncClientSecretCredential(
                CONTOSO, DAEMON, SECRETS[DAEMON], transport=AsyncioRequestsTransport(), **flags) as credential:
            return await credential.get_token(GRAPH_DEFAULT)

    assert claims_of(asyncio.run(go()).token)["appid"] == DAEMON


@pytest.mark.parametrize("with_chain", [False, True])
def test_certificate(flags, with_chain):
    with open(os.environ["EMULATOR_KEY"], "rb") as key, open(os.environ["EMULATOR_CERTIFICATE"], "rb") as certificate:
        data = key.read() + certificate.read()
    credential = CertificateCredential(
        CONTOSO, DAEMON, certificate_data=data, send_certificate_chain=with_chain, **flags)
    assert claims_of(credential.get_token(GRAPH_DEFAULT).token)["appidacr"] == "2"


def test_authorization_code(emulator, flags, new_user):
    from test_rules import authorize
    landing = new_user("alan@contoso.com").visit(
        authorize(emulator, client=WEB, redirect=WEB_REDIRECT, scope=f"openid profile offline_access {GRAPH_DEFAULT}"))
    credential = AuthorizationCodeCredential(
        CONTOSO, WEB, landing.parameters["code"], WEB_REDIRECT, client_secret=SECRETS[WEB], **flags)
    token = credential.get_token(GRAPH_DEFAULT, enable_cae=True)
    assert claims_of(token.token)["upn"] == "alan@contoso.com" and token.expires_on - time.time() > 70000
    before = emulator.count()
    assert credential.get_token(GRAPH_DEFAULT, enable_cae=True).token == token.token and emulator.count() == before


def test_username_and_password(emulator, on_443):
    import warnings
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        credential = UsernamePasswordCredential(
            NATIVE, "alan@contoso.com", "Fake-Alan-1", tenant_id=CONTOSO, authority="https://localhost",
            disable_instance_discovery=True)
    on_443.simulate({"consentGranted": {"user": "alan@contoso.com", "client": NATIVE, "scopes": ["User.Read"]}})
    assert claims_of(credential.get_token("https://graph.microsoft.com/User.Read").token)["upn"] == "alan@contoso.com"


@pytest.mark.parametrize("by", ["secret", "certificate"])
def test_on_behalf_of(emulator, flags, by):
    forged = emulator.control("tokens", {"user": "omar@contoso.com", "client": NATIVE, "scopes": [f"{API_URI}/Things.Read"]})
    token = forged.json()["access_token"]
    proof = {"client_secret": SECRETS[API]}
    if by == "certificate":
        with open(os.environ["EMULATOR_KEY"], "rb") as key, open(os.environ["EMULATOR_CERTIFICATE"], "rb") as certificate:
            proof = {"client_certificate": key.read() + certificate.read()}
    credential = OnBehalfOfCredential(CONTOSO, API, user_assertion=token, **proof, **flags)
    answer = emulator.graph("/me", credential.get_token("https://graph.microsoft.com/User.Read").token)
    assert answer.json()["userPrincipalName"] == "omar@contoso.com"
    broken = OnBehalfOfCredential(CONTOSO, API, user_assertion=token[:-8] + "AAAAAAAA", **proof, **flags)
    with pytest.raises(ClientAuthenticationError, match="AADSTS50013"):
        broken.get_token("https://graph.microsoft.com/User.Read")


def test_claims_challenge(clean, flags, opener):
    """Handles a challenge like a Graph client: a silent request with the claims, and then an interactive sign-in."""
    opener("hiro@contoso.com")
    credential = InteractiveBrowserCredential(timeout=30, **flags)
    record = credential.authenticate(scopes=[GRAPH_DEFAULT], enable_cae=True)
    token = credential.get_token(GRAPH_DEFAULT, enable_cae=True)
    clean.simulate({"sessionsRevoked": record.username})
    refused = clean.graph("/me", token.token)
    import base64, re
    claims = base64.b64decode(re.search('claims="([^"]+)"', refused.headers["WWW-Authenticate"])[1]).decode()
    clean.simulate({"wait": "1s"})
    opened = opener("hiro@contoso.com")
    fresh = credential.get_token(GRAPH_DEFAULT, claims=claims, enable_cae=True)
    assert "password" in opened.visitor.seen, "the user must sign in, because the refresh token is revoked"
    assert clean.graph("/me", fresh.token).status_code == 200
