#!/usr/bin/env python3
"""How many detail answers a second the simulator gives, next to the least that a server of the same bytes could be.

usage: bench/marketsim.py <folder with marketsim and bench_plain_server>

Each server has one thread; wrk asks both in turn, in the same run.
"""
import contextlib
import http.client
import re
import statistics
import subprocess
import sys
import tempfile

ROUNDS = 5
SECONDS = 3
GOAL = 0.5


@contextlib.contextmanager
def server(*command):
    """Its port; whatever happens, it ends with the block."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield int(re.search(r"http://127\.0\.0\.1:(\d+)", process.stdout.readline()).group(1))
        finally:
            process.terminate()


def ask(port, target, headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", target, headers=headers)
    answer = connection.getresponse()
    return answer, answer.read()


def requests_per_second(port, target, headers):
    command = ["wrk", "-t1", "-c32", f"-d{SECONDS}s", f"http://127.0.0.1:{port}{target}"]
    for name, value in headers.items():
        command += ["-H", f"{name}: {value}"]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in out:
        sys.exit("bench: not every request was answered\n" + out)
    return float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1))


def main():
    if len(sys.argv) != 2 or sys.argv[1] == "--help":
        sys.exit(__doc__)
    folder = sys.argv[1]
    with contextlib.ExitStack() as stack:
        scenario = stack.enter_context(tempfile.NamedTemporaryFile("w", suffix=".yaml"))
        body = stack.enter_context(tempfile.NamedTemporaryFile("wb"))
        scenario.write("limits: {per_hour: 0}\n")
        scenario.flush()
        sim_port = stack.enter_context(
            server(f"{folder}/marketsim", "--port", "0", "--scenario", scenario.name, "--seed", "7"))
        answer, _ = ask(sim_port, "/", {"User-Agent": "bench"})
        cookies = "; ".join(cookie.split(";")[0] for cookie in answer.headers.get_all("Set-Cookie"))
        headers = {"User-Agent": "bench", "Cookie": cookies}
        target = "/mustit-api/facade-api/v1/item/110000000/detail/top"
        answer, content = ask(sim_port, target, headers)
        if answer.status != 200:
            sys.exit(f"bench: {target} answered {answer.status}")
        body.write(content)
        body.flush()
        plain_port = stack.enter_context(server(f"{folder}/bench_plain_server", body.name))

        ours, least = [], []
        for number in range(1, ROUNDS + 1):
            least.append(requests_per_second(plain_port, target, headers))
            ours.append(requests_per_second(sim_port, target, headers))
            print(f"  round {number} of {ROUNDS}: simulator {ours[-1]:.0f}/s, plain server {least[-1]:.0f}/s", flush=True)
    ratio = statistics.median(a / b for a, b in zip(ours, least))
    print(f"detail answers ({len(content)} bytes) a second, one core each, median of {ROUNDS} rounds")
    print(f"  simulator {statistics.median(ours):.0f}, plain server {statistics.median(least):.0f}, ratio {ratio:.2f}")
    print(f"  goal: requests/s of the simulator / of a plain server of the same bytes: {ratio:.2f}, wanted >= {GOAL}: "
          f"{'met' if ratio >= GOAL else 'NOT met'}")
    sys.exit(0 if ratio >= GOAL else 1)


main()
