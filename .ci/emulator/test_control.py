"""Tests the control interface."""
import json, time
from datetime import datetime

import pytest

from judge import NATIVE
from test_rules import refreshed, signed_in


def test_faults_are_separate_for_each_test(clean, new_user):
    tokens = signed_in(clean, new_user())
    mine = {"x-authflow-isolation": "mine"}
    clean.simulate({"fault": {"at": "token", "response": {"status": 503}, "times": 2}}, headers=mine)
    assert refreshed(clean, tokens["refresh_token"], "User.Read").status_code == 200
    form = dict(client_id=NATIVE, grant_type="refresh_token", refresh_token=tokens["refresh_token"], scope="User.Read")
    assert [clean.token("common", mine, **form).status_code for _ in range(3)] == [503, 503, 200]


def test_tokens_and_request_log(clean):
    forged = clean.control("tokens", {"user": "alex@contoso.com", "client": NATIVE, "scopes": ["User.Read"]}).json()
    assert clean.graph("/me", forged["access_token"]).json()["userPrincipalName"] == "alex@contoso.com"
    trail = json.dumps(clean.control("requests").json())
    assert "/v1.0/me" in trail and forged["access_token"] not in trail


def test_web_pages_cannot_use_the_control_interface(emulator):
    for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"},
                    {"Sec-Fetch-Site": "same-site"}, {"Host": "evil.example"}, {"Host": f"evil.example:{emulator.port}"}):
        for method, path, body in (("GET", "state", None), ("POST", "reset", {}), ("POST", "events", [{"wait": "1d"}])):
            answer = emulator.http.request(method, f"{emulator.base}/_authflow/{path}", json=body, headers=headers)
            assert answer.status_code in (400, 403, 404, 421), (headers, path, answer.status_code)
            assert "Access-Control-Allow-Origin" not in answer.headers
    form = emulator.http.post(f"{emulator.base}/_authflow/events", data='[{"wait": "1d"}]', headers={"Content-Type": "text/plain"})
    assert form.status_code >= 400
    assert abs(datetime.fromisoformat(emulator.state()["time"].replace("Z", "+00:00")).timestamp() - time.time()) < 600


def test_reset_restores_the_clock(alone):
    alone.simulate({"clock": "2031-05-06T07:08:09Z"}, {"userDisabled": "megan@contoso.com"})
    assert alone.state()["time"].startswith("2031-05-06T07:08:")
    alone.reset()
    assert not alone.state()["time"].startswith("2031"), "the reset must restore the clock"
