# glewlwyd from Debian packages (unpacked but not installed), with HTTPS, one user, and one public client. .ci/check-providers
# sources this file. shellcheck shell=bash disable=SC2034,SC2154
packages=(chromium:chromium openssl:openssl sqlite3:sqlite3)
glewlwyd=$PWD/.build/ci-providers/glewlwyd

start_provider() {
  is_unpacked || one_at_a_time glewlwyd download
  is_unpacked || fail "the unpacked Debian packages of glewlwyd are incomplete: delete $glewlwyd"
  certificate=$folder/tls.pem
  issuer=https://127.0.0.1:$port/api/oidc
  userinfo=$issuer/userinfo
  scope=User.Read
  redirect=http://127.0.0.1:$redirect_port/callback
  browser=(--browser system)
  # glewlwyd rejects a revoked refresh token with status 400 and no body. RFC 6749, section 5.2 requires an error code.
  revoked_outcome=invalidResponse
  export PERSON_USER=alice PERSON_PASSWORD=correct-horse PERSON_PROFILE=$folder/profile PERSON_PID=$folder/browser.pid
  create_keys
  # Chromium trusts the public key of the server certificate.
  PERSON_TRUSTS=$(openssl x509 -in "$certificate" -pubkey -noout | openssl pkey -pubin -outform der \
    | openssl dgst -sha256 -binary | base64)
  export PERSON_TRUSTS BROWSER=$PWD/.ci/providers/chromium-person.py
  zcat "$glewlwyd/root/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz" | sqlite3 "$folder/glewlwyd.db"
  write_configuration
  start_server "https://127.0.0.1:$port/login.html" \
    env LD_LIBRARY_PATH="$(libraries)" "$glewlwyd/root/usr/bin/glewlwyd" --config-file="$folder/glewlwyd.conf"
  python3 .ci/providers/glewlwyd-setup.py "https://127.0.0.1:$port/api" "$certificate" "$folder/signing.pem" "$redirect"
}

# The revocation endpoint requires a client secret, which a public client does not have.
revoke_refresh_tokens() {
  sqlite3 "$folder/glewlwyd.db" "update gpo_refresh_token set gpor_enabled = 0"
}

# --- Download -------------------------------------------------------------------------------------------------------

libraries() { echo "$glewlwyd"/root/usr/lib/*-linux-gnu; }

is_unpacked() {
  local root=$glewlwyd/root output
  [ -f "$glewlwyd/pages/js/jquery.min.js" ] && [ -f "$glewlwyd/pages/config.json" ] || return
  output=$(LD_LIBRARY_PATH=$(libraries) ldd "$root/usr/bin/glewlwyd" "$root"/usr/lib/glewlwyd/*/*.so) || return
  [[ $output != *"not found"* ]]
}

# Downloads glewlwyd and all dependencies that are not installed. --reinstall also downloads the packages in `wanted`
# that are installed: the pages link to their files. dbconfig-no-thanks avoids a dependency on the MariaDB client.
download() {
  local wanted=(glewlwyd dbconfig-no-thanks libjs-jquery libjs-bootstrap4 libjs-popper.js fonts-fork-awesome)
  ! is_unpacked || return 0
  rm -rf "$glewlwyd"
  mkdir -p "$glewlwyd/packages/partial" "$glewlwyd/new"
  if ! download_packages "${wanted[@]}"; then
    # The package lists are missing or outdated.
    one_at_a_time packages update_package_lists
    download_packages "${wanted[@]}" || { cat "$glewlwyd/download.log"; fail "cannot download ${wanted[*]}"; }
  fi
  local package
  for package in "$glewlwyd"/packages/*.deb; do dpkg -x "$package" "$glewlwyd/new"; done
  copy_pages "$glewlwyd/new"
  mv "$glewlwyd/new" "$glewlwyd/root"
}

# Downloads do not require the lock of the package database, so this does not require root.
download_packages() {
  apt-get install -y --reinstall --no-install-recommends --download-only -o Debug::NoLocking=1 \
    -o Dir::Cache::archives="$glewlwyd/packages" "$@" > "$glewlwyd/download.log" 2>&1
}

update_package_lists() {
  local as_root=""
  [ "$(id -u)" -eq 0 ] || as_root=sudo
  $as_root apt-get update -qq
}

# glewlwyd does not serve files outside its page folder, but the pages link to scripts in other packages. The link
# config.json points to /etc/glewlwyd/config-2.7.json, which is a folder that contains config.json.
copy_pages() { # ROOT
  local pages=$1/usr/share/glewlwyd/webapp
  rm "$pages/config.json"
  cp "$(find "$1/etc/glewlwyd" -type f -name 'config*.json')" "$pages/config.json"
  find "$pages" -xtype l -delete
  cp -rL "$pages" "$glewlwyd/pages"
}

# --- Configuration --------------------------------------------------------------------------------------------------

create_keys() {
  openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 \
    -keyout "$folder/tls.key" -out "$certificate" 2> /dev/null
  openssl genrsa -out "$folder/signing.pem" 2048 2> /dev/null
}

write_configuration() {
  local modules=$glewlwyd/root/usr/lib/glewlwyd
  cat > "$folder/glewlwyd.conf" << END
port = $port
bind_address = "127.0.0.1"
external_url = "https://127.0.0.1:$port"
use_secure_connection = true
secure_connection_key_file = "$folder/tls.key"
secure_connection_pem_file = "$certificate"
log_mode = "console"
log_level = "INFO"
admin_scope = "g_admin"
profile_scope = "g_profile"
hash_algorithm = "SHA512"
database = { type = "sqlite3"; path = "$folder/glewlwyd.db"; }
user_module_path = "$modules/user"
client_module_path = "$modules/client"
user_auth_scheme_module_path = "$modules/scheme"
plugin_module_path = "$modules/plugin"
static_files_path = "$glewlwyd/pages/"
static_files_mime_types = (
  { extension = ".html"; mime_type = "text/html"; compress = 1; },
  { extension = ".css"; mime_type = "text/css"; compress = 1; },
  { extension = ".js"; mime_type = "application/javascript"; compress = 1; },
  { extension = ".json"; mime_type = "application/json"; compress = 1; }
)
END
}

# --- Checks for glewlwyd only ---------------------------------------------------------------------------------------

check_more() {
  workflow device-code device-code
  step_passed "device code flow with an ID token from the issuer" deviceCode success deviceCode
  step_passed "forced refresh after the device code flow" silent success refreshToken
  step_passed "userinfo request after the device code flow" callAPI success
  check_untrusted_certificate
  check_page_with_javascript
}

# If SSL_CERT_FILE is not set, authflow must reject the self-signed certificate.
check_untrusted_certificate() {
  local output
  ! output=$(certificate="" run_workflow 1-sign-in untrusted 2>&1) || fail "authflow trusts a self-signed certificate"
  tr -s ' \n' ' ' <<< "$output" | grep -q 'certificate.*SSL_CERT_FILE' \
    || { printf '%s\n' "$output"; fail "the error does not suggest SSL_CERT_FILE"; }
  ok "a self-signed certificate is rejected"
}

# The simulated user cannot sign in without JavaScript. authflow must report this and save the page without secrets.
check_page_with_javascript() {
  local output page=$folder/simulated/page.html
  browser=(--browser simulated)
  ! output=$(run_workflow 1-sign-in simulated 2>&1) || fail "the simulated user signs in without JavaScript"
  tr -s ' \n' ' ' <<< "$output" | grep -q "JavaScript.*$page" \
    || { printf '%s\n' "$output"; fail "the error does not mention JavaScript and the saved page"; }
  ok "authflow reports a page that requires JavaScript"
  [ "$(stat -c %a "$page")" = 600 ] || fail "other users can read the saved page"
  ok "only the owner can read the saved page"
  grep -q '<script src="[^"]*js' "$page" || { cat "$page"; fail "the saved page does not contain the script tags"; }
  ! grep -E 'state=[^…]|code_challenge=[^…]' "$page" || fail "the saved page contains secrets"
  ok "the saved page does not contain secrets"
}
