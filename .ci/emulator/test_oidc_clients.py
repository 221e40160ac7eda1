"""Tests Authlib and requests-oauthlib: generic OpenID Connect clients that validate responses."""
import os

import pytest
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session as AuthlibSession
from authlib.oidc.core import CodeIDToken, ImplicitIDToken
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from joserfc import jwt as jose_jwt
from joserfc.jwk import KeySet
from requests_oauthlib import OAuth2Session

import judge
from judge import CONTOSO, DAEMON, NATIVE, SECRETS, SPA, SPA_REDIRECT, WEB, WEB_REDIRECT


@pytest.fixture(scope="module")
def metadata(emulator):
    return emulator.http.get(f"{emulator.base}/{CONTOSO}/v2.0/.well-known/openid-configuration").json()


def checked(emulator, metadata, text, client, kind=CodeIDToken, **parameters):
    """Returns the claims of an ID token that Authlib has validated (signature, issuer, audience, times, nonce, and hashes)."""
    keys = KeySet.import_key_set(emulator.http.get(metadata["jwks_uri"]).json())
    token = jose_jwt.decode(text, keys, algorithms=["RS256"])
    claims = kind(token.claims, token.header, {
        "iss": {"essential": True, "value": metadata["issuer"]}, "aud": {"essential": True, "value": client},
        "nonce": {"essential": True}, "exp": {"essential": True}, "iat": {"essential": True}, "sub": {"essential": True},
    }, parameters)
    claims.validate(leeway=5)
    return claims


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
def test_authlib(emulator, metadata, new_user, method):
    client = AuthlibSession(WEB, SECRETS[WEB], scope="openid profile email offline_access User.Read",
                            redirect_uri=WEB_REDIRECT, token_endpoint_auth_method=method, code_challenge_method="S256")
    client.verify = emulator.ca
    verifier, nonce = generate_token(48), generate_token()
    uri, state = client.create_authorization_url(metadata["authorization_endpoint"], code_verifier=verifier, nonce=nonce)
    landing = new_user().visit(uri)
    token = client.fetch_token(metadata["token_endpoint"], authorization_response=landing.url.rstrip("#"), code_verifier=verifier)
    claims = checked(emulator, metadata, token["id_token"], WEB, nonce=nonce, client_id=WEB, access_token=token["access_token"])
    assert claims["preferred_username"] == "megan@contoso.com" and landing.parameters["state"] == state
    userinfo = client.get(metadata["userinfo_endpoint"]).json()
    assert userinfo["email"] == "megan@contoso.com" and userinfo["name"] == "Megan Bowen"
    first = token["access_token"]
    fresh = client.refresh_token(metadata["token_endpoint"], refresh_token=token["refresh_token"])
    assert fresh["access_token"] != first
    # OpenID Connect Core §12.2: a refreshed ID token has the same subject, issuer, and audience.
    again = judge.claims_of(fresh["id_token"])
    assert all(again[name] == claims[name] for name in ("sub", "iss", "aud"))


def test_authlib_private_key_authentication(emulator, metadata):
    from authlib.oauth2.rfc7523 import PrivateKeyJWT
    with open(os.environ["EMULATOR_KEY"]) as file:
        key = file.read()
    with open(os.environ["EMULATOR_CERTIFICATE"]) as file:
        certificate = x509.load_pem_x509_certificate(file.read().encode())
    # Microsoft Entra ID looks up the certificate by its thumbprint in the header.
    method = PrivateKeyJWT(metadata["token_endpoint"], headers={"kid": certificate.fingerprint(hashes.SHA1()).hex().upper()})
    client = AuthlibSession(DAEMON, key, token_endpoint_auth_method=method)
    client.verify = emulator.ca
    token = client.fetch_token(metadata["token_endpoint"], grant_type="client_credentials",
                               scope="https://graph.microsoft.com/.default")
    assert set(judge.claims_of(token["access_token"])["roles"]) == {"User.Read.All", "Mail.Send"}


def test_authlib_rejects_invalid_tokens(emulator, metadata, new_user):
    client = AuthlibSession(WEB, SECRETS[WEB], scope="openid", redirect_uri=WEB_REDIRECT)
    client.verify = emulator.ca
    uri, _ = client.create_authorization_url(metadata["authorization_endpoint"], nonce="one")
    token = client.fetch_token(metadata["token_endpoint"], authorization_response=new_user().visit(uri).url.rstrip("#"))
    with pytest.raises(Exception) as refused:
        checked(emulator, metadata, token["id_token"], WEB, nonce="another", client_id=WEB)
    assert "nonce" in str(refused.value)
    head, body, signature = token["id_token"].split(".")
    with pytest.raises(Exception) as refused:
        checked(emulator, metadata, f"{head}.{body}.{signature[:-6]}AAAAAA", WEB, nonce="one", client_id=WEB)
    assert "ignature" in type(refused.value).__name__ + str(refused.value)


def test_implicit_id_token(emulator, metadata, new_user):
    client = AuthlibSession(SPA, scope="openid profile", redirect_uri=SPA_REDIRECT)
    uri, state = client.create_authorization_url(
        metadata["authorization_endpoint"], response_type="id_token", nonce="n-0", response_mode="fragment")
    landing = new_user().visit(uri)
    assert landing.parameters["state"] == state and "#id_token=" in landing.url or "&id_token=" in landing.url
    checked(emulator, metadata, landing.parameters["id_token"], SPA, kind=ImplicitIDToken, nonce="n-0", client_id=SPA)


def test_hybrid_code_and_id_token(emulator, metadata, new_user):
    """`c_hash` binds the code to the ID token."""
    import base64, hashlib
    registered = emulator.control("apps", [{"appId": WEB, "implicitIdTokens": True, "implicitAccessTokens": True}])
    assert registered.status_code == 200, registered.text
    client = AuthlibSession(WEB, SECRETS[WEB], scope="openid profile", redirect_uri=WEB_REDIRECT)
    client.verify = emulator.ca
    uri, _ = client.create_authorization_url(
        metadata["authorization_endpoint"], response_type="code id_token", nonce="n-1", response_mode="form_post")
    landing = new_user().visit(uri)
    assert landing.posted and "id_token" in landing.parameters, landing
    from authlib.oidc.core import HybridIDToken
    claims = checked(emulator, metadata, landing.parameters["id_token"], WEB, kind=HybridIDToken, nonce="n-1", client_id=WEB,
                     code=landing.parameters["code"], response_type="code id_token")
    half = hashlib.sha256(landing.parameters["code"].encode()).digest()[:16]
    assert claims["c_hash"] == base64.urlsafe_b64encode(half).decode().rstrip("=")
    uri, _ = client.create_authorization_url(
        metadata["authorization_endpoint"], response_type="id_token token", nonce="n-2", response_mode="fragment")
    landing = new_user().visit(uri)
    checked(emulator, metadata, landing.parameters["id_token"], WEB, kind=ImplicitIDToken, nonce="n-2", client_id=WEB,
            access_token=landing.parameters["access_token"], response_type="id_token token")
    assert "at_hash" in judge.claims_of(landing.parameters["id_token"])


def test_requests_oauthlib(emulator, metadata, new_user):
    session = OAuth2Session(NATIVE, scope=["openid", "profile", "offline_access", "User.Read"], redirect_uri="http://localhost:5000/",
                            pkce="S256")
    session.verify = emulator.ca
    os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"  # the redirect URI is a loopback URI
    os.environ["OAUTHLIB_RELAX_TOKEN_SCOPE"] = "1"  # the response contains more scopes, but not offline_access
    try:
        uri, state = session.authorization_url(metadata["authorization_endpoint"], nonce="n-3")
        landing = new_user().visit(uri)
        token = session.fetch_token(metadata["token_endpoint"], authorization_response=landing.url.rstrip("#"), include_client_id=True)
        checked(emulator, metadata, token["id_token"], NATIVE, nonce="n-3", client_id=NATIVE)
        assert session.get(f"{emulator.base}/v1.0/me").json()["displayName"] == "Megan Bowen"
        fresh = session.refresh_token(metadata["token_endpoint"], client_id=NATIVE)
        assert fresh["access_token"] != token["access_token"] or fresh["refresh_token"]
        assert session.get(f"{emulator.base}/v1.0/me").status_code == 200
        denied, _ = session.authorization_url(metadata["authorization_endpoint"])
        visitor = new_user("ines@contoso.com", consents=False)
        from oauthlib.oauth2 import AccessDeniedError
        with pytest.raises(AccessDeniedError):
            session.fetch_token(metadata["token_endpoint"], authorization_response=visitor.visit(denied).url.rstrip("#"), include_client_id=True)
    finally:
        del os.environ["OAUTHLIB_INSECURE_TRANSPORT"], os.environ["OAUTHLIB_RELAX_TOKEN_SCOPE"]


def test_keys_rotate(emulator, metadata, new_user):
    """After a rotation, both keys are published, and old tokens stay valid."""
    from test_rules import signed_in
    old = signed_in(emulator, new_user())
    emulator.simulate("keysRotated")
    new = signed_in(emulator, new_user())
    assert judge.header_of(old["id_token"])["kid"] != judge.header_of(new["id_token"])["kid"]
    published = {key["kid"] for key in emulator.http.get(metadata["jwks_uri"]).json()["keys"]}
    assert {judge.header_of(token["id_token"])["kid"] for token in (old, new)} <= published
    assert emulator.graph("/me", old["access_token"]).status_code == 200
