# Functions for the scripts in this folder, which source it first: `. "$(dirname "$0")/lib.sh"`.
# It changes to the repository root, installs tools, and counts passed checks.
# shellcheck shell=bash
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PYTHONDONTWRITEBYTECODE=1

# Print the command that ended the script, because `set -e` does not.
set -E
trap 'printf "failed: %s, line %d: exit status %d: %s\n" "${BASH_SOURCE[0]}" "$LINENO" "$?" "${BASH_COMMAND%%$'"'\\n'"'*}" >&2' ERR

# --- Checks ---------------------------------------------------------------------------------------------------------

checks=0

# passed TEXT: counts a check. The gate compares the total with the minimum in gate.toml.
passed() {
  checks=$((checks + 1))
  printf 'ok %d - %s\n' "$checks" "$*"
}

# count_passed NUMBER TEXT: counts the checks of another test runner.
count_passed() {
  [ "${1:-0}" -gt 0 ] || fail "no check ran: $2"
  checks=$((checks + $1))
  printf 'ok - %s: %d\n' "$2" "$1"
}

# fail TEXT: prints an error and ends the script.
fail() {
  printf 'not ok - %s\n' "$*" >&2
  exit 1
}

# finish: prints the number of checks for the gate. It must be the last command of each check.
finish() {
  [ "$checks" -gt 0 ] || fail "no check ran"
  printf '%d checks passed\n' "$checks"
}

# run_counted COMMAND…: runs a program with `N checks passed` as its last line, and counts these checks.
run_counted() {
  local output last
  output=$(mktemp)
  "$@" | tee "$output" || { rm "$output"; fail "$*"; }
  last=$(tail -n 1 "$output")
  rm "$output"
  [[ $last =~ ^([1-9][0-9]*)\ checks\ passed$ ]] || fail "$*: the last line is not a number of checks"
  checks=$((checks + BASH_REMATCH[1]))
}

# exits_with STATUS COMMAND…: whether a command exits with this status. Sets `status` for the message of `fail`.
exits_with() {
  local expected=$1
  shift
  status=0
  "$@" || status=$?
  [ "$status" -eq "$expected" ]
}

# wait_until COMMAND…: repeats a command or function until it succeeds, for at most 10 seconds.
wait_until() {
  for _ in $(seq 100); do
    ! "$@" || return 0
    sleep 0.1
  done
  return 1
}

# --- Parallel commands ----------------------------------------------------------------------------------------------

background=()
background_commands=() # in the same order

# in_background COMMAND…: starts a command or function in a subshell, at most three at a time. wait_for_background waits for all
# of them and fails if one failed. The caller must count their checks.
in_background() {
  [ "${#background[@]}" -lt 3 ] || wait_for_oldest
  ("$@") &
  background+=("$!")
  background_commands+=("$*")
}

wait_for_oldest() {
  local oldest=${background[0]} command=${background_commands[0]}
  background=("${background[@]:1}")
  background_commands=("${background_commands[@]:1}")
  wait "$oldest" || {
    [ "${#background[@]}" -eq 0 ] || kill "${background[@]}" 2> /dev/null || true
    fail "$command"
  }
}

wait_for_background() {
  while [ "${#background[@]}" -gt 0 ]; do wait_for_oldest; done
}

# --- Tools ----------------------------------------------------------------------------------------------------------

# Runs a command while no other check runs one, because apt-get and venv must not run in parallel.
one_at_a_time() { # NAME COMMAND…
  mkdir -p .build
  local name=$1
  shift
  if command -v flock > /dev/null; then
    (flock 9 && "$@") 9> ".build/$name.lock"
  else
    "$@"
  fi
}

install_packages() {
  local as_root=""
  [ "$(id -u)" -eq 0 ] || as_root="sudo"
  command -v apt-get > /dev/null || fail "install these Debian packages, or the corresponding packages of your system: $*"
  # Another program may have locked apt.
  for _ in 1 2 3 4 5; do ! $as_root apt-get update -qq || break; sleep 5; done
  # RUNLEVEL=1 prevents packages from starting services.
  $as_root env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -qq -o DPkg::Lock::Timeout=600 \
    --no-install-recommends "$@" > /dev/null
}

# need_packages WHAT:PACKAGE…: installs each Debian package whose command or, if WHAT begins with /, file is missing.
need_packages() {
  local entry what missing=()
  for entry in "$@"; do
    what=${entry%%:*}
    case $what in
      /*) [ -e "$what" ] || missing+=("${entry#*:}") ;;
      *) command -v "$what" > /dev/null || missing+=("${entry#*:}") ;;
    esac
  done
  [ "${#missing[@]}" -eq 0 ] || one_at_a_time packages install_packages "${missing[@]}"
}

# need_tools SECTION: installs the packages in tools.tsv for a section, or all packages for `gate`.
need_tools() {
  local entries=() section what package
  while IFS=$'\t' read -r section what package; do
    [ "$section" = "$1" ] || [ "$1" = gate ] || continue
    entries+=("$what:$package")
  done < <(grep -v '^#' .ci/tools.tsv)
  [ "${#entries[@]}" -eq 0 ] || need_packages "${entries[@]}"
}

# uv is much faster than pip.
make_uv() {
  cmp -s .ci/requirements/uv.txt .build/python/uv/installed.txt && return
  python3 -c 'import ensurepip, venv' 2> /dev/null || one_at_a_time packages install_packages python3 python3-venv
  python3 -m venv --clear .build/python/uv
  .build/python/uv/bin/pip install --quiet --disable-pip-version-check --requirement .ci/requirements/uv.txt
  cp .ci/requirements/uv.txt .build/python/uv/installed.txt
}

make_python_tools() { # NAME FOLDER
  cmp -s ".ci/requirements/$1.txt" "$2/installed.txt" && return
  one_at_a_time python-uv make_uv
  local uv=.build/python/uv/bin/uv options=(--quiet)
  # Use the certificates of the system, because a proxy may have its own CA.
  [ ! -e /etc/ssl/certs/ca-certificates.crt ] || options+=(--native-tls)
  [ -z "${PIP_INDEX_URL:-}" ] || export UV_DEFAULT_INDEX=${UV_DEFAULT_INDEX:-$PIP_INDEX_URL}
  "$uv" venv --quiet --seed --clear --python python3 "${options[@]:1}" "$2"
  "$uv" pip install "${options[@]}" --python "$2/bin/python" --requirement ".ci/requirements/$1.txt"
  cp ".ci/requirements/$1.txt" "$2/installed.txt"
}

# python_tools NAME: creates the virtual environment of requirements/NAME.txt and sets `tools` to its bin folder.
python_tools() {
  local folder=$PWD/.build/python/$1
  mkdir -p "$folder"
  one_at_a_time "python-$1" make_python_tools "$1" "$folder"
  # shellcheck disable=SC2034
  tools=$folder/bin
}

# authflow_program: makes AUTHFLOW an absolute path (default: the release build).
authflow_program() {
  AUTHFLOW=${AUTHFLOW:-.build/static/authflow}
  [ -x "$AUTHFLOW" ] || fail "$AUTHFLOW is missing: run .ci/build-release"
  AUTHFLOW=$(realpath "$AUTHFLOW")
  export AUTHFLOW
}
