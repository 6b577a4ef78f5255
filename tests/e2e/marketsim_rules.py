#!/usr/bin/env python3
"""Asks the simulator for everything it has, then breaks each of its rules, with nothing but Python's standard library.

usage: marketsim_rules.py <marketsim> <folder with the sample answers>
"""
import http.client
import json
import re
import signal
import subprocess
import sys

LISTING = "/mustit-api/facade-api/v1/searchmini-shop-search?sellerId={}&pageNo={}&pageSize={}&order=LATEST"
DETAIL = "/mustit-api/facade-api/v1/item/{}/detail/top"
OPTIONS = "/mustit-api/legacy-api/v1/auction_products/{}/options"
SEARCH = "/v2/api/facade/searchItems?keyword={}"
FIRST_PAGE = LISTING.format("seller_1", 0, 500)

failures = 0


def check(what, found, expected):
    global failures
    good = found == expected
    failures += not good
    print(("ok    " if good else "WRONG ") + what + ("" if good else f": {found!r}, expected {expected!r}"), flush=True)


class Simulator:
    def __init__(self, program, *flags, errors=None):
        self.process = subprocess.Popen([program, "--port", "0", *flags], stdout=subprocess.PIPE, stderr=errors, text=True)
        self.port = int(re.search(r"http://127\.0\.0\.1:(\d+)", self.process.stdout.readline()).group(1))

    def ask(self, target, agent="a browser", cookies="", host=None, method="GET", body=None, headers=()):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        all_headers = {"User-Agent": agent, "Cookie": cookies, **dict(headers)}
        if host:
            all_headers["Host"] = host
        connection.request(method, target, body, all_headers)
        answer = connection.getresponse()
        content = answer.read().decode()
        connection.close()
        return answer, content

    def status(self, target, **more):
        return self.ask(target, **more)[0].status

    def session(self, agent):
        answer, _ = self.ask("/", agent=agent)
        cookies = answer.headers.get_all("Set-Cookie") or []
        return "; ".join(cookie.split(";")[0] for cookie in cookies)

    def audit(self):
        return json.loads(self.ask("/_sim/audit")[1])

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.stdout.read()
        return self.process.wait(20)


def shape(value, path=""):
    """Every key path with the type that is there; the elements of a list are one."""
    found = {(path, type(value).__name__)}
    if isinstance(value, dict):
        for key, inner in value.items():
            found |= shape(inner, path + "/" + key)
    elif isinstance(value, list):
        for inner in value:
            found |= shape(inner, path + "/*")
    return found


def answers(simulator):
    """One of each, without the limits in the way."""
    cookies = simulator.session("reader")
    get = lambda target: simulator.ask(target, agent="reader", cookies=cookies)[1]
    bodies = {"minishop": get(FIRST_PAGE), "search": get(SEARCH.format("seller_1"))}
    items = json.loads(bodies["minishop"])["items"]
    details = [get(DETAIL.format(item["itemNo"])) for item in items[:40]]
    options = [get(OPTIONS.format(item["itemNo"])) for item in items[:40]]
    return bodies, details, options


def shapes(program, samples):
    print("-- the answers are shaped like the samples, and the same seed gives the same")
    flags = ["--seed", "7", "--sellers", "3", "--products", "1200"]
    with open_unlimited(program, flags) as one, open_unlimited(program, flags) as two:
        bodies, details, options = answers(one)
        again, details_again, options_again = answers(two)
    sample = lambda name: shape(json.load(open(f"{samples}/{name}.json", encoding="utf-8")))
    for name in ("minishop", "search"):
        check(f"every key path of {name}.json", sample(name) - shape(json.loads(bodies[name])), set())
    check("every key path of options.json", sample("options") - shape([json.loads(body) for body in options][0] or
          next(json.loads(body) for body in options if body != "[]")), set())
    all_details = set().union(*(shape(json.loads(body)) for body in details))
    check("every key path of detail.json", sample("detail") - all_details, set())
    check("a listing announces 1200", json.loads(bodies["minishop"])["count"], 1200)
    check("some items have no options", "[]" in options, True)
    check("option numbers are beyond 32 bits", all(option["optionNo"] > 2**32 for body in options
          for option in json.loads(body)), True)
    check("the same seed, the same request, the same bytes", (bodies, details, options),
          (again, details_again, options_again))
    cookies_differ = len({details[0], details[1]}) == 2
    check("different items differ", cookies_differ, True)


class open_unlimited:
    """A simulator that counts nobody, to look at many answers quickly."""

    def __init__(self, program, flags):
        import tempfile
        self.file = tempfile.NamedTemporaryFile("w", suffix=".yaml")
        self.file.write("limits: {per_hour: 0}\n")
        self.file.flush()
        self.simulator = Simulator(program, "--scenario", self.file.name, *flags)

    def __enter__(self):
        return self.simulator

    def __exit__(self, *_):
        check("it ends when told to", self.simulator.stop(), 0)
        self.file.close()


def rules(program):
    print("-- whoever breaks a rule is refused, and counted")
    simulator = Simulator(program, "--seed", "7", "--time-factor", "100")
    agents = iter(f"browser {i}" for i in range(1000))

    def with_session(target, **more):  # a browser of its own each time, so that the limits stay out of it
        agent = next(agents)
        cookies = simulator.session(agent)
        import time
        time.sleep(0.02)  # two simulated seconds
        return simulator.status(target, agent=agent, cookies=cookies, **more)

    check("with a session", with_session(FIRST_PAGE), 200)
    check("without a token: 401", simulator.status(FIRST_PAGE, agent=next(agents)), 401)
    check("with somebody else's: 401", simulator.status(FIRST_PAGE, agent=next(agents),
          cookies=simulator.session(next(agents))), 401)
    check("an unknown path: 404", with_session("/mustit-api/nothing"), 404)
    check("an unknown item: 404", with_session(DETAIL.format(1)), 404)
    check("an unknown seller: 404", with_session(LISTING.format("nobody", 0, 500)), 404)
    check("encoded twice: 400", with_session(LISTING.format("seller%255F1", 0, 500)), 400)
    check("a wrong page size: 400", with_session(LISTING.format("seller_1", 0, 100)), 400)
    check("another method: 405", with_session(FIRST_PAGE, method="POST"), 405)
    check("an unknown Host: 421", with_session(FIRST_PAGE, host="elsewhere.example"), 421)
    refused = simulator.audit()["requests"]
    check("all of them are counted", (refused["listing"]["refused"], refused["detail"]["refused"]["404"],
          refused["elsewhere"]["refused"]["404"]), ({"400": 2, "401": 2, "404": 1, "405": 1, "421": 1}, 1, 1))
    check("none of them was too fast", simulator.audit()["rate"]["violations"], 0)
    check("it ends when told to", simulator.stop(), 0)

    simulator = Simulator(program, "--seed", "7")
    cookies = simulator.session("hasty")
    answer, _ = simulator.ask(FIRST_PAGE, agent="hasty", cookies=cookies)
    check("two within a second: 429", answer.status, 429)
    check("with the time to wait", int(answer.headers["Retry-After"]) >= 1, True)
    check("and a violation", simulator.audit()["rate"]["tooClose"], 1)
    check("an expired token: 401", expired(program), 401)
    check("it ends when told to", simulator.stop(), 0)


def expired(program):
    import tempfile
    import time
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write("session: {lifetime: 2s}\n")
        file.flush()
        simulator = Simulator(program, "--scenario", file.name, "--time-factor", "100")
        cookies = simulator.session("late")
        time.sleep(0.05)  # five simulated seconds
        status = simulator.status(FIRST_PAGE, agent="late", cookies=cookies)
        simulator.stop()
        return status


def one_too_many(program):
    print("-- the 81st of an hour is a violation although it was refused")
    import time
    simulator = Simulator(program, "--seed", "7", "--time-factor", "40")  # an hour passes in 90 s
    cookies = simulator.session("steady")
    for _ in range(79):
        time.sleep(0.03)  # more than a simulated second
        status = simulator.status(FIRST_PAGE, agent="steady", cookies=cookies)
    check("the 80th is answered", status, 200)
    time.sleep(0.03)
    check("the 81st is refused", simulator.status(FIRST_PAGE, agent="steady", cookies=cookies), 429)
    rate = simulator.audit()["rate"]
    check("the worst hour had 81", rate["worstHour"], 81)
    check("which is a violation", (rate["overHour"], rate["violations"] >= 1), (1, True))
    check("it ends when told to", simulator.stop(), 0)


def in_need(program):
    print("-- what cannot be done is told, and large work keeps nobody waiting")
    import tempfile
    import time
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write('changes: ["1s restore 3", "2s price 5", "3s remove 999"]\n')
        file.flush()
        simulator = Simulator(program, "--scenario", file.name, "--time-factor", "100", "--products", "100",
                              errors=subprocess.PIPE)
        time.sleep(0.5)  # fifty simulated seconds
        audit = simulator.audit()
        check("the change that could be made was made", audit["mutationsMade"], 5)
        check("the others are in the audit", [refused["change"] for refused in audit["changesRefused"]],
              ["1s restore 3", "3s remove 999"])
        simulator.process.send_signal(signal.SIGTERM)
        told = simulator.process.communicate(timeout=20)[1]
        check("and on stderr, with the rule", ("1s restore 3" in told, "nothing is there to restore" in told), (True, True))
        check("it ends when told to", simulator.process.returncode, 0)

    simulator = Simulator(program, "--seed", "7", "--sellers", "5", "--products", "20000")
    answer, _ = simulator.ask("/_sim/mutate", method="POST", body='{"kind":"price","percent":50}')
    check("fifty thousand changes", (answer.status, simulator.audit()["mutationsMade"]), (200, 50000))
    check("the longest stall is told", simulator.audit()["rate"]["longestStallMs"] >= 0, True)
    check("it ends when told to", simulator.stop(), 0)


def metrics(program):
    print("-- the metrics are such as Prometheus takes")
    simulator = Simulator(program, "--seed", "7", "--time-factor", "100")
    cookies = simulator.session("watched")
    simulator.status(FIRST_PAGE, agent="watched", cookies=cookies)
    simulator.status("/nothing", agent="watched", cookies=cookies)
    simulator.ask("/_sim/mutate", method="POST", body='{"kind":"price","count":3}')
    text = simulator.ask("/_sim/metrics")[1]
    verdict = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True)
    check("promtool has nothing to say", (verdict.returncode, verdict.stdout + verdict.stderr), (0, ""))
    check("they count", 'marketsim_requests_total{place="root",outcome="answered",status="200"} 1' in text, True)
    check("it ends when told to", simulator.stop(), 0)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, samples = sys.argv[1:]
    shapes(program, samples)
    rules(program)
    one_too_many(program)
    in_need(program)
    metrics(program)
    print("all is right" if failures == 0 else f"{failures} wrong")
    sys.exit(1 if failures else 0)


main()
