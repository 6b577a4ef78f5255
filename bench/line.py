#!/usr/bin/env python3
"""What the whole line does on this machine when no budget holds it back, next to wrk asking the same simulator for the same answers.

usage: bench/line.py [--products N], on a SQLite file; bench/with-mariadb bench/line.py, on a durable MariaDB server

One pass over a catalogue, from "crawl" to the last acknowledged event: products and requests a second, CPU seconds per 1,000
products and memory of each daemon. wrk has the same two cores and the same simulator, and nothing else to do.
Exit code 1 where a goal is missed.
"""
import argparse
import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "scripts"))
import fleet  # noqa: E402
from fleet import Fleet, mariadb_database  # noqa: E402

GOAL = 0.25
GOAL_RSS = 40
NO_LIMIT = {"limit": 1000000, "window": "1s", "spacing": "0s", "guard": "0s", "at_once": 1000,
            "ceiling": {"per_second": 1000000, "per_hour": 100000000, "guard": "0s"}}


def options():
    parser = argparse.ArgumentParser(prog="line", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--products", type=int, default=2000, help="of the one seller (2000)")
    parser.add_argument("--bin", type=Path, default=fleet.BIN, help="where the programs are (build/release/bin)")
    return parser.parse_args()


def cpu_seconds(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def peak_mb(pid):
    return int(re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text()).group(1)) / 1024


def wrk_requests_per_second(world):
    """Of detail answers, with a session of its own."""
    base = f"http://127.0.0.1:{world.port}"
    with urllib.request.urlopen(urllib.request.Request(base + "/", headers={"User-Agent": "bench"})) as answer:
        cookies = "; ".join(cookie.split(";")[0] for cookie in answer.headers.get_all("Set-Cookie"))
    listing = f"{base}/mustit-api/facade-api/v1/searchmini-shop-search?sellerId=seller_1&pageNo=0&pageSize=500&order=LATEST"
    with urllib.request.urlopen(urllib.request.Request(listing, headers={"User-Agent": "bench", "Cookie": cookies})) as answer:
        item = re.search(r'"itemNo":\s*"?(\d+)', answer.read().decode()).group(1)
    target = f"{base}/mustit-api/facade-api/v1/item/{item}/detail/top"
    out = subprocess.run(["wrk", "-t1", "-c32", "-d5s", "-H", "User-Agent: bench", "-H", f"Cookie: {cookies}", target],
                         capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in out:
        sys.exit("bench: not every request was answered\n" + out)
    return float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1))


def judge(what, found, wanted, is_met):
    """In words that bench/run-all reads."""
    print(f"  goal: {what}: {found}, wanted {wanted}: {'met' if is_met else 'NOT met'}", flush=True)
    return is_met


def wait_until_told(line, products):
    while line.audit(details=0)["items"]["equal"] < products:
        if sys.stdout.isatty():
            print(f"  {line.audit(details=0)['items']['equal']} of {products} told", end="\r", flush=True)
        time.sleep(0.1)


def main():
    o = options()
    fleet.BIN = o.bin
    quick = {"loop": {"interval": "10ms"}}
    settings = {name: {"pool": NO_LIMIT} for name in ("trigger", "outbox-relay", "worker")}
    settings["worker"]["consumer"] = {"max_in_flight": 64}
    settings["outbox-relay"].update(quick)
    settings["product-sync"] = quick
    server = os.environ.get("CRAWLER_TEST_DATABASE")
    name = "MariaDB" if server else "SQLite"
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="crawler-bench-"))
        database = stack.enter_context(mariadb_database(server)) if server else None
        line = stack.enter_context(Fleet(folder, database=database, settings=settings))
        line.start_world(seed=7, sellers=1, products=o.products, limits={"per_hour": 0})
        line.on_database("migrate")
        line.on_database("agents", "import", "--builtin")
        line.start_daemons()
        line.on_database("sellers", "add", "seller_1", "--name", "seller_1")
        used = {d.name: cpu_seconds(d.process.pid) for d in line.daemons}
        began = time.monotonic()
        line.on_database("sellers", "crawl", "seller_1")
        wait_until_told(line, o.products)
        took = time.monotonic() - began
        requests = line.audit(details=0)["requests"]["total"]
        rate = requests / took
        print(f"the line on {name}: {o.products} products in {took:.1f} s: {o.products / took:.0f} products/s, {rate:.0f} requests/s")
        largest = 0
        for daemon in line.daemons:
            cpu = (cpu_seconds(daemon.process.pid) - used[daemon.name]) / o.products * 1000
            rss = peak_mb(daemon.process.pid)
            largest = max(largest, rss)
            print(f"  {daemon.name:<14} {cpu:6.2f} CPU seconds per 1,000 products, {rss:5.1f} MB")
        print(f"  {requests / o.products * 1000:.0f} requests per 1,000 products")
        line.stop_daemons()
        wrk = wrk_requests_per_second(line.world)
        ratio = rate / wrk
        print(f"  wrk: {wrk:.0f} requests/s of the same simulator; ratio {ratio:.3f}")
        good = judge(f"RSS of a busy daemon on {name} in MB, the largest", f"{largest:.1f}", f"<= {GOAL_RSS}", largest <= GOAL_RSS)
        if server:  # the goal is for a durable server; what a file does is printed beside
            good = judge(f"requests/s of the line on {name} / of wrk", f"{ratio:.3f}", f">= {GOAL}", ratio >= GOAL) and good
    sys.exit(not good)


if __name__ == "__main__":
    main()
