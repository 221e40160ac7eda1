# canaille, from PyPI, with a SQLite database, one user, and one public client.
# .ci/check-providers sources this file.
# shellcheck shell=bash disable=SC2034,SC2154
packages=(openssl:openssl sqlite3:sqlite3)

start_provider() {
  python_tools providers-canaille
  issuer=http://127.0.0.1:$port
  userinfo=$issuer/oauth/userinfo
  export PERSON_USER=alice PERSON_PASSWORD=correct-horse-battery
  export CANAILLE_CONFIG=$folder/canaille.toml
  cat > "$CANAILLE_CONFIG" << END
SECRET_KEY = "for-a-test-server"
SERVER_NAME = "127.0.0.1:$port"
PREFERRED_URL_SCHEME = "http"

[CANAILLE]
DATABASE = "sql"

[CANAILLE_SQL]
DATABASE_URI = "sqlite:///$folder/canaille.sqlite"

[CANAILLE_OIDC]
ACTIVE_JWKS = ['''
$(openssl genrsa 2048 2> /dev/null)
''']
END
  # The server creates the database when it starts.
  start_server "$issuer/.well-known/openid-configuration" "$tools/canaille" run --bind "127.0.0.1:$port"
  register_user_and_client
}

# `audience` contains internal client IDs. If the list is empty, ID tokens do not contain `aud`. Without a post-logout redirect
# URI, the end session endpoint returns 500.
register_user_and_client() {
  if "$tools/canaille" restore > "$folder/restore.log" 2>&1 << END; then return; fi
{
  "user": [{
    "id": "alice", "user_name": "$PERSON_USER", "password": "$PERSON_PASSWORD",
    "given_name": "Alice", "family_name": "Doe", "emails": ["alice@example.com"]
  }],
  "client": [{
    "id": "authflow", "audience": ["authflow"],
    "client_id": "authflow-native", "client_name": "Authflow",
    "redirect_uris": ["$redirect"], "post_logout_redirect_uris": ["$redirect"],
    "token_endpoint_auth_method": "none", "id_token_signed_response_alg": "RS256",
    "response_types": ["code"], "grant_types": ["authorization_code", "refresh_token"],
    "scope": ["openid", "profile", "email", "offline_access"]
  }]
}
END
  cat "$folder/restore.log"
  fail "cannot register the user and the client"
}

# The revocation endpoint requires a client secret, which a public client does not have.
revoke_refresh_tokens() {
  sqlite3 "$folder/canaille.sqlite" \
    "update token set revokation_date = datetime('now', '-1 second') where refresh_token is not null"
}
