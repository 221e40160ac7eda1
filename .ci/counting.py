"""Counts checks, like lib.sh: a program that ends with `finish()` runs under `run_counted`."""
total = 0


def passed(text, number=1):
    """Counts one check, or as many as the text covers."""
    global total
    total += number
    print(f"ok - {text}" if number == 1 else f"ok - {text}: {number}", flush=True)


def finish():
    assert total, "no check ran"
    print(f"{total} checks passed", flush=True)
