"""Counts checks, as lib.sh does. A program that calls `finish()` at its end can run under `run_counted`."""
total = 0


def passed(text, number=1):
    """Counts one check, or several checks with a common text."""
    global total
    total += number
    print(f"ok - {text}" if number == 1 else f"ok - {text}: {number}", flush=True)


def finish():
    assert total, "no check ran"
    print(f"{total} checks passed", flush=True)
