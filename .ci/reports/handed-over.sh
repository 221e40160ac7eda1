# Part of .ci/check-reports: the commands for scripts, and secrets from files and commands. What is handed over goes into a folder
# of its own, where it must be; all else that is said goes where the search for secrets looks.
# A person is there, played.
unset CI
PROXY=Fake-Proxy-Passw0rd
handed=$work/handed
mkdir "$handed"
fail() { echo "$1" >&2; exit 1; }
handing() { # NAME ARGUMENTS…: standard output is what was asked for, standard error is searched
  local name=$1
  shift
  timeout 60 "$authflow" "$@" > "$handed/$name" 2> "$work/out/$name.err" || { cat "$work/out/$name.err"; fail "$name fails"; }
}
settings=(--settings "$work/secret/S.yaml" --platform live)
# The account that the runs before have kept: standard output is its token, one line, and nothing else.
handing token token "${settings[@]}"
token=$(cat "$handed/token")
[[ $token =~ ^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$ ]] || fail "token prints something else than a token"
[ ! -s "$work/out/token.err" ] || fail "token says: $(cat "$work/out/token.err")"
grep -rqF "$token" "$XDG_STATE_HOME" || fail "this token is not the kept one, so that it would not be looked for"
handing token-json token "${settings[@]}" --format json
"$python" -c 'import json, sys; assert json.load(open(sys.argv[1]))["accessToken"] == sys.argv[2]' "$handed/token-json" "$token"
# A program gets it in a variable or a descriptor, and neither on its command line nor in both.
handing exec-env token "${settings[@]}" --exec --env T -- sh -c 'printf %s "$T"; tr "\0" " " < /proc/$$/cmdline >&2'
handing exec-usual token "${settings[@]}" --exec -- sh -c 'printf %s "$ACCESS_TOKEN"'
handing exec-fd token "${settings[@]}" --exec --fd 5 -- sh -c \
  'cat <&5; unset PASSWORD WRONG KAY SEED; env >&2; tr "\0" " " < /proc/$$/cmdline >&2'
for name in exec-env exec-usual exec-fd; do
  [ "$(cat "$handed/$name")" = "$token" ] || fail "$name does not hand the token over"
done
# ls opens one itself.
handing exec-open token "${settings[@]}" --exec -- ls /proc/self/fd
[ "$(tr '\n' ' ' < "$handed/exec-open")" = "0 1 2 3 " ] || fail "a program gets descriptors: $(cat "$handed/exec-open")"
grep -q '^PATH=' "$work/out/exec-fd.err" || fail "the environment was not shown, so that nothing is proven"
run exec-missing token "${settings[@]}" --exec -- /nowhere/program
grep -q 'cannot be started' "$work/out/exec-missing.err" || fail "a program that is not there was started"
run token-none token "${settings[@]}" --account nobody@contoso.com --no-interactive
run token-scope token "${settings[@]}" --scopes Not.There --no-interactive
# Taken apart: the claims, and no part that could be used.
run decode token decode "$token"
grep -q 'megan@contoso.com' "$work/out/decode.txt" || fail "nothing was taken apart: nothing is proven"
run decode-json token decode --format json - <<< "Bearer $token"
run decode-cut token decode "${token%???}"
run decode-short token decode "${token%.*}"
run decode-five token decode "x.$token.y"
run decode-words token decode "$token $token"
# A call of Graph: what it says of itself holds no token, whatever stands in its arguments.
run api-live api get /me "${settings[@]}"
cat > "$work/secret/G.yaml" << 'Y'
{AppId: 6731de76-14a6-49ae-97bc-6eba6914391e, GraphScopes: [User.Read], BundleId: com.contoso.graphtutorial}
Y
run api api get /me --settings "$work/secret/G.yaml"
grep -q '"Megan Bowen"' "$work/out/api.txt" || { cat "$work/out/api.err"; fail "Graph was not called: nothing is proven"; }
printf '{"client_secret": "%s",\n "passwordProfile": {"password": "%s"\n' "$WRONG" "$KAY" > "$work/secret/broken-body.json"
run api-patch api patch /me --settings "$work/secret/G.yaml" --data "{\"passwordProfile\": {\"password\": \"$KAY\"}}"
run api-data api patch /me --settings "$work/secret/G.yaml" --data "{\"password\": \"$KAY\", oops"
run api-file api patch /me --settings "$work/secret/G.yaml" --data "@$work/secret/broken-body.json"
run api-header api get /me --settings "$work/secret/G.yaml" --header "Bearer $token"
run api-authorization api get /me --settings "$work/secret/G.yaml" --header "Authorization: Bearer $token"
run api-nowhere api get /nowhere --settings "$work/secret/G.yaml"
# Proxies and authorities with passwords in them; the names lead nowhere.
sed 's|^Authority:.*|Authority: https://login.contoso.invalid/v2.0|' "$work/secret/S.yaml" > "$work/secret/P.yaml"
sed 's|S.yaml|P.yaml|' "$work/secret/w.yaml" > "$work/secret/p.yaml"
for proxy in "http://megan:$PROXY@127.0.0.1:1" "socks5://megan:$PROXY@127.0.0.1:1" "megan:$PROXY@"; do
  export HTTPS_PROXY=$proxy
  run "doctor-${proxy%%:*}" doctor --platform live --authority https://login.contoso.invalid/common
  run "token-${proxy%%:*}" token --settings "$work/secret/P.yaml" --platform live
  run "run-${proxy%%:*}" run "$work/secret/p.yaml" --platform live --fresh -v --trace "$work/out/run-${proxy%%:*}.jsonl"
  unset HTTPS_PROXY
done
grep -q '127.0.0.1:1' "$work/out/doctor-http.txt" || fail "the proxy was not looked at: nothing is proven"
run doctor-authority doctor --platform live --authority "https://megan:$PROXY@127.0.0.1:1/common"
# Secrets from a .env file, from files and from commands: used, which the run's success proves, and never repeated.
printf 'PASSWORD="%s" # hers\nOTHER=%s\n' "$password" "$KAY" > "$work/secret/good.env"
printf 'OTHER %s\nPASSWORD="%s\n' "$KAY" "$password" > "$work/secret/bad.env"
printf '%s\n' "$password" > "$work/secret/password.txt"
given() { # NAME OPTIONS…: a run without secrets in its environment
  local name=$1
  shift
  env -u KAY -u SEED -u PASSWORD -u WRONG timeout 60 "$authflow" run "$work/secret/w.yaml" --platform live --fresh -v \
    --trace "$work/out/$name.jsonl" --report "$work/out/$name.html" "$@" > "$work/out/$name.txt" 2> "$work/out/$name.err"
}
refused() { # NAME OPTIONS…
  ! given "$@" || fail "$1 is taken"
}
refused nothing-given
given given-env --env-file "$work/secret/good.env" || { cat "$work/out/given-env.err"; fail "a .env file is not enough"; }
for source in "file:$work/secret/password.txt" "command:head -n 1 '$work/secret/password.txt'"; do
  given "given-${source%%:*}" --secret "PASSWORD=$source" || { cat "$work/out/given-${source%%:*}.err"; fail "$source is not enough"; }
done
refused bad-env --env-file "$work/secret/bad.env"
refused secret-fails --secret "PASSWORD=command:echo $password; exit 3"
grep -q 'the secret PASSWORD: its command ended with 3' "$work/out/secret-fails.err" || fail "that the command fails is not said"
refused secret-long --secret "PASSWORD=command:yes $password"
refused secret-bytes --secret "PASSWORD=command:printf '$password\\377'"
refused secret-none --secret "PASSWORD=file:$work/secret/not-there.txt"
refused secret-empty --secret "PASSWORD=command:true"
refused secret-misunderstood --secret "PASSWORD=$password"
refused secret-unnamed --secret "$password"
# What a command says on standard error it says itself, once, to whoever sits there; nothing repeats it.
refused secret-talks --secret "PASSWORD=command:echo 'its own words: $password' >&2; exit 3"
mv "$work/out/secret-talks.err" "$handed/secret-talks"
[ "$(grep -cF "$password" "$handed/secret-talks")" = 1 ] \
  || fail "a command's own words come $(grep -cF "$password" "$handed/secret-talks") times"
