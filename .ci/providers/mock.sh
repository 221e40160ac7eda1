# oidc-provider-mock accepts every client ID, redirect URI, and username, and does not ask for passwords.
# .ci/check-providers sources this file.
# shellcheck shell=bash disable=SC2034,SC2154
packages=()

start_provider() {
  python_tools providers-mock
  issuer=http://127.0.0.1:$port
  userinfo=$issuer/userinfo
  # The client must send a secret, but the server does not verify it.
  client_secret=for-a-test-server
  export PERSON_USER=alice PERSON_PASSWORD=not-used
  start_server "$issuer/.well-known/openid-configuration" "$tools/oidc-provider-mock" --host 127.0.0.1 --port "$port"
}

revoke_refresh_tokens() { curl -sf -X POST "$issuer/users/$PERSON_USER/revoke-tokens"; }
