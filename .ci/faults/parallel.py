"""Ten parallel runs with one cache: each must succeed with its own account, and the cache must be complete afterward."""
import json

from place import MEGAN, must

OTHERS = {"adele@contoso.com": "Fake-Adele-1", "felix@fabrikam.com": "Fake-Felix-1", "pat@outlook.com": "Fake-Pat-1"}
ALL = [MEGAN, *OTHERS]


def workflows(place):
    for name in ALL:
        expected = f"{{callGraph: /me, expect: {{$.userPrincipalName: {name}}}}}"
        known = f"{{loadAccount: {{username: {name}}}, on: {{notFound: fail}}}}"
        place.workflow(f"silent {name}", f"[{known}, {{silent: {{}}, on: {{interactionRequired: fail}}, expect: {{tokenSource: cache}}}}, {expected}]")
        place.workflow(f"renewed {name}", f"[{known}, {{silent: {{forceRefresh: true}}, on: {{interactionRequired: fail}}, "
                                          f"expect: {{tokenSource: refreshToken}}}}, {expected}]")
        place.workflow(f"fresh {name}", f"[{{interactive: {{prompt: login}}}}, {expected}]")
        path = place.folder / f"fresh {name}.yaml"
        path.write_text(path.read_text().replace(MEGAN, name).replace("${secret:PASSWORD}", OTHERS.get(name, "Fake-Megan-1")))


def ten(place, flows, report, words):
    with report(words):
        runs = [place.start(flow) for flow in flows]
        for run in runs:
            run.wait(40)
        for flow, run in zip(flows, runs):
            must(run.code == 0, f"{flow} exited with {run.code}:", run.output[-600:], run.errors)
        for run in runs:
            place.holds(run, {0})


def drill(place, report):
    workflows(place)
    must(place.run("sign-in").code == 0, "the sign-in failed")
    fresh = [f"fresh {name}" for name in OTHERS]
    ten(place, [f"silent {MEGAN}"] * 4 + [f"renewed {MEGAN}"] * 3 + fresh, report, "ten in parallel: 4 silent, 3 refreshes, 3 sign-ins of other accounts")
    must(sorted(place.accounts()) == sorted(ALL), "the accounts are", place.accounts())
    ten(place, [f"renewed {name}" for name in ALL * 2] + fresh[:2], report, "ten in parallel: 8 refreshes of 4 accounts, 2 sign-ins")
    ten(place, [f"silent {name}" for name in ALL * 2] + [f"renewed {name}" for name in ALL[:2]], report, "ten in parallel: 8 silent, 2 refreshes")
    place.forget()
    ten(place, [f"fresh {name}" for name in ALL * 2] + fresh[:2], report, "ten in parallel: sign-ins with an empty cache")
    with report("afterward: each account is cached once and works silently"):
        must(sorted(place.accounts()) == sorted(ALL), "the accounts are", place.accounts())
        json.loads((place.live / "cache.json").read_text())
        for name in ALL:
            place.holds(place.run(f"silent {name}"), {0})
            place.holds(place.run(f"renewed {name}"), {0})


def killed(place, report):
    """A killed run leaves the old cache or the new one, and does not block other runs."""
    workflows(place)
    must(place.run("sign-in").code == 0, "the sign-in failed")
    with report("40 refreshes, killed at different times"):
        for number in range(40):
            run = place.start(f"renewed {MEGAN}")
            try:
                run.process.wait(0.01 * (1 + number % 20))
            except Exception:
                run.process.kill()
            run.wait()
            if number % 5 == 4:
                next_run = place.run(f"silent {MEGAN}")
                must(next_run.code == 0, "the next run exited with", next_run.code, next_run.output[-500:], next_run.errors)
                must(MEGAN in place.accounts(), "the account is lost")


DRILLS = {"ten runs on one cache": drill, "killed runs": killed}
