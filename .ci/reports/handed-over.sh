# Part of .ci/check-reports: commands for scripts, and secrets from files and commands. Output that must contain a token goes to a
# separate folder. The search for secrets reads all other output.
# shellcheck shell=bash disable=SC2154
unset CI # a simulated user completes the sign-in pages
PROXY=Fake-Proxy-Passw0rd
handed=$work/handed
mkdir "$handed"
handing() { # NAME ARGUMENT…: standard output contains the token, standard error is searched
  local name=$1
  shift
  commands=$((commands + 1))
  timeout 60 "$AUTHFLOW" "$@" > "$handed/$name" 2> "$work/out/$name.err" || fail "$name: $(cat "$work/out/$name.err")"
}
settings=(--settings "$work/secret/S.yaml" --platform live)
# Standard output is the token of the cached account, on one line.
handing token token "${settings[@]}"
token=$(cat "$handed/token")
[[ $token =~ ^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$ ]] || fail "the output of \`token\` is not a token"
passed "\`token\` prints a token"
[ ! -s "$work/out/token.err" ] || fail "\`token\` prints to standard error: $(cat "$work/out/token.err")"
passed "\`token\` prints nothing to standard error"
grep -rqF "$token" "$XDG_STATE_HOME" || fail "the token is not in the cache, so the search for secrets would not find it"
passed "\`token\` prints the cached token"
handing token-json token "${settings[@]}" --format json
"$python" -c 'import json, sys; assert json.load(open(sys.argv[1]))["accessToken"] == sys.argv[2]' "$handed/token-json" "$token"
passed "\`token --format json\` prints the token"
# A program receives the token in a variable or a file descriptor, never on its command line.
# shellcheck disable=SC2016
handing exec-env token "${settings[@]}" --exec --env T -- sh -c 'printf %s "$T"; tr "\0" " " < /proc/$$/cmdline >&2'
# shellcheck disable=SC2016
handing exec-usual token "${settings[@]}" --exec -- sh -c 'printf %s "$ACCESS_TOKEN"'
# shellcheck disable=SC2016
handing exec-fd token "${settings[@]}" --exec --fd 5 -- sh -c \
  'cat <&5; unset PASSWORD WRONG KAY SEED ODD; env >&2; tr "\0" " " < /proc/$$/cmdline >&2'
for name in exec-env exec-usual exec-fd; do
  [ "$(cat "$handed/$name")" = "$token" ] || fail "$name does not pass the token"
  passed "$name passes the token"
done
# ls itself opens a descriptor.
handing exec-open token "${settings[@]}" --exec -- ls /proc/self/fd
[ "$(tr '\n' ' ' < "$handed/exec-open")" = "0 1 2 3 " ] || fail "a program inherits file descriptors: $(cat "$handed/exec-open")"
passed "a program inherits no file descriptor"
grep -q '^PATH=' "$work/out/exec-fd.err" || fail "the program did not print its environment, so the check is invalid"
run exec-missing token "${settings[@]}" --exec -- /nowhere/program
grep -q '^error: .*/nowhere/program' "$work/out/exec-missing.err" || fail "\`token --exec\` does not report a missing program"
passed "\`token --exec\` reports a missing program"
start token-none token "${settings[@]}" --account nobody@contoso.com --no-interactive
start token-scope token "${settings[@]}" --scopes Not.There --no-interactive
# `token decode` prints the claims but no complete token.
run decode token decode "$token"
grep -q 'megan@contoso.com' "$work/out/decode.txt" || fail "\`token decode\` does not print the claims"
passed "\`token decode\` prints the claims"
run decode-json token decode --format json - <<< "Bearer $token"
start decode-cut token decode "${token%???}"
start decode-short token decode "${token%.*}"
start decode-five token decode "x.$token.y"
start decode-words token decode "$token $token"
# Send a request to Graph, with secrets in the arguments.
run api-live api get /me "${settings[@]}"
cat > "$work/secret/G.yaml" << 'Y'
{AppId: 6731de76-14a6-49ae-97bc-6eba6914391e, GraphScopes: [User.Read], BundleId: com.contoso.graphtutorial}
Y
run api api get /me --settings "$work/secret/G.yaml"
grep -q '"Megan Bowen"' "$work/out/api.txt" || fail "\`api get /me\`: $(cat "$work/out/api.err")"
passed "\`api get /me\` prints the user"
printf '{"client_secret": "%s",\n "passwordProfile": {"password": "%s"\n' "$WRONG" "$KAY" > "$work/secret/broken-body.json"
start api-patch api patch /me --settings "$work/secret/G.yaml" --data "{\"passwordProfile\": {\"password\": \"$KAY\"}}"
start api-data api patch /me --settings "$work/secret/G.yaml" --data "{\"password\": \"$KAY\", oops"
start api-file api patch /me --settings "$work/secret/G.yaml" --data "@$work/secret/broken-body.json"
start api-header api get /me --settings "$work/secret/G.yaml" --header "Bearer $token"
start api-authorization api get /me --settings "$work/secret/G.yaml" --header "Authorization: Bearer $token"
start api-nowhere api get /nowhere --settings "$work/secret/G.yaml"
# Use proxies and authorities with passwords. The hosts do not exist.
sed 's|^Authority:.*|Authority: https://login.contoso.invalid/v2.0|' "$work/secret/S.yaml" > "$work/secret/P.yaml"
sed 's|S.yaml|P.yaml|' "$work/secret/w.yaml" > "$work/secret/p.yaml"
for proxy in "http://megan:$PROXY@127.0.0.1:1" "socks5://megan:$PROXY@127.0.0.1:1" "megan:$PROXY@"; do
  export HTTPS_PROXY=$proxy # for the commands below, which start here
  start "doctor-${proxy%%:*}" doctor --platform live --authority https://login.contoso.invalid/common
  start "token-${proxy%%:*}" token --settings "$work/secret/P.yaml" --platform live
  start "run-${proxy%%:*}" run "$work/secret/p.yaml" --platform live --fresh -v --trace "$work/out/run-${proxy%%:*}.jsonl"
  unset HTTPS_PROXY
done
start doctor-authority doctor --platform live --authority "https://megan:$PROXY@127.0.0.1:1/common"
wait_for_background
grep -q '127.0.0.1:1' "$work/out/doctor-http.txt" || fail "\`doctor\` does not print the proxy: $(cat "$work/out/doctor-http.txt")"
passed "\`doctor\` prints the proxy"
# Use secrets from an .env file, from files, and from commands: the run must use but never print them.
printf 'PASSWORD="%s" # hers\nOTHER=%s\n' "$password" "$KAY" > "$work/secret/good.env"
printf 'OTHER %s\nPASSWORD="%s\n' "$KAY" "$password" > "$work/secret/bad.env"
printf '%s\n' "$password" > "$work/secret/password.txt"
given() { # NAME OPTION…: a run without secrets in its environment
  local name=$1
  shift
  env -u KAY -u SEED -u ODD -u PASSWORD -u WRONG timeout 60 "$AUTHFLOW" run "$work/secret/w.yaml" --platform live --fresh -v \
    --trace "$work/out/$name.jsonl" --report "$work/out/$name.html" "$@" > "$work/out/$name.txt" 2> "$work/out/$name.err"
}
accepted() { # NAME OPTION…
  given "$@" || fail "$1: $(cat "$work/out/$1.err")"
}
rejected() { # NAME OPTION…
  ! given "$@" || fail "$1 is accepted"
}
check_given() { # accepted|rejected NAME OPTION…: wait_for_background reports a failure
  givens=$((givens + 1))
  in_background "$@"
}
givens=0
check_given rejected nothing-given
check_given accepted given-env --env-file "$work/secret/good.env"
for source in "file:$work/secret/password.txt" "command:head -n 1 '$work/secret/password.txt'"; do
  check_given accepted "given-${source%%:*}" --secret "PASSWORD=$source"
done
check_given rejected bad-env --env-file "$work/secret/bad.env"
check_given rejected secret-fails --secret "PASSWORD=command:echo $password; exit 3"
check_given rejected secret-long --secret "PASSWORD=command:yes $password"
check_given rejected secret-bytes --secret "PASSWORD=command:printf '$password\\377'"
check_given rejected secret-none --secret "PASSWORD=file:$work/secret/not-there.txt"
check_given rejected secret-empty --secret "PASSWORD=command:true"
check_given rejected secret-misunderstood --secret "PASSWORD=$password"
check_given rejected secret-unnamed --secret "$password"
# The command prints to standard error once, and authflow must not repeat it.
check_given rejected secret-talks --secret "PASSWORD=command:echo 'its own words: $password' >&2; exit 3"
wait_for_background
count_passed "$givens" "sources of secrets that a run accepts or rejects"
grep -q 'PASSWORD.* with 3' "$work/out/secret-fails.err" \
  || fail "\`run\` does not report a secret's failing command: $(cat "$work/out/secret-fails.err")"
passed "\`run\` reports a secret's failing command"
mv "$work/out/secret-talks.err" "$handed/secret-talks"
[ "$(grep -cF "$password" "$handed/secret-talks")" = 1 ] \
  || fail "the output of a secret's command appears $(grep -cF "$password" "$handed/secret-talks") times"
passed "the output of a secret's command appears once"
