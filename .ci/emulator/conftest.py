"""Fixtures: each test file gets an emulator with the OPTIONS of that file."""
import fcntl, os, socket, warnings

import pytest

import judge

# Ignore deprecation warnings from the clients.
warnings.filterwarnings("ignore", category=DeprecationWarning)


@pytest.fixture(scope="session", autouse=True)
def nowhere_else():
    """Prevents access to real hosts with a proxy setting that rejects all connections."""
    for name in ("HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"):
        os.environ[name] = "http://127.0.0.1:9"
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "localhost,127.0.0.1"


@pytest.fixture(scope="module")
def emulator(nowhere_else, request):
    emulator = judge.Emulator(*getattr(request.module, "OPTIONS", ()))
    before = {name: os.environ.get(name) for name in ("REQUESTS_CA_BUNDLE", "SSL_CERT_FILE")}
    for name in before:
        os.environ[name] = emulator.ca
    yield emulator
    for name, value in before.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    status = emulator.stop()
    assert status == 130, f"the emulator exited with {status}: {emulator.output()}"


@pytest.fixture
def new_user(emulator):
    """Creates users with a new browser."""

    def make(username="megan@contoso.com", **more):
        return judge.User(emulator, username, **more)

    return make


@pytest.fixture
def clean(emulator):
    """The emulator, reset before and after the test."""
    emulator.reset()
    yield emulator
    emulator.reset()


@pytest.fixture
def alone(nowhere_else):
    """An emulator for a single test."""
    emulator = judge.Emulator()
    yield emulator
    emulator.stop()


@pytest.fixture
def on_443(emulator):
    """The emulator on port 443 for the password flow, because msal and azure-identity ignore the authority's port."""
    with open(os.path.join(os.environ["EMULATOR_WORK"], "443.lock"), "w") as lock:
        # Test files run in parallel and share the port.
        fcntl.flock(lock, fcntl.LOCK_EX)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", 443))
            except PermissionError:
                pytest.skip("ports below 1024 require root")
        mine = judge.Emulator(port=443)
        yield mine
        assert mine.stop() == 130, mine.output()
