"""A whole fleet on this machine, against the simulated world: for the demo, the tests of the line and the benchmarks.

Everything lives in one folder: the database (a SQLite file, unless told otherwise), configurations, logs. Whoever starts processes here
ends them here, whatever happens.
"""
import base64
import contextlib
import json
import os
import re
import signal
import subprocess
import time
import urllib.request
from pathlib import Path

BIN = Path(__file__).resolve().parent.parent / "build/release/bin"
DAEMONS = ("trigger", "outbox-relay", "worker", "product-sync")
API_KEY = "simulated-key"


class Broken(Exception):
    """The fleet cannot go on; the text is for a person."""


def ask(url, body=None, timeout=20):
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data), timeout=timeout) as answer:
        return answer.read().decode()


class Program:
    """One process of ours; what it says goes to a file."""

    def __init__(self, name, command, log, environment):
        self.name = name
        self.log = log
        with open(log, "ab") as out:
            self.process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, env=environment)
        self.port = None

    def said(self):
        return self.log.read_text(errors="replace")

    def wait_until_it_says(self, pattern, seconds=20):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            found = re.search(pattern, self.said())
            if found:
                return found
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        raise Broken(f"{self.name} did not start. It said:\n{self.said()}")

    def ask_to_stop(self):
        """Once: a second signal ends it without the drain."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)

    def end(self, seconds=40):
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            return "killed: it did not end"

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def metrics(self):
        """Every series by its whole name."""
        series = {}
        for line in ask(f"http://127.0.0.1:{self.port}/metrics").splitlines():
            if line and not line.startswith("#"):
                name, value = line.rsplit(" ", 1)
                series[name] = float(value)
        return series

    def metric(self, name):
        """The sum over all series of a metric."""
        return sum(v for k, v in self.metrics().items() if k == name or k.startswith(name + "{"))


def ask_mariadb(folder, statement, database=""):
    """Of a server of scripts/test-database: what it says, as it stands there."""
    command = ["mariadb", "--no-defaults", "--user=root", f"--socket={folder}/sock", "--batch", "--raw", "--skip-column-names"]
    return subprocess.run([*command, "--execute", statement, database], check=True, stdout=subprocess.PIPE).stdout


@contextlib.contextmanager
def mariadb_database(folder):
    """The URL of a new database on a server of scripts/test-database, gone afterwards."""
    name = f"fleet_{os.getpid()}"
    ask_mariadb(folder, f"CREATE DATABASE {name}")
    try:
        yield f"mysql://root@localhost/{name}?unix_socket={folder}/sock"
    finally:
        ask_mariadb(folder, f"DROP DATABASE {name}")


def all_that_mariadb_stores(url):
    """Every row of every table of such a database."""
    name, folder = re.fullmatch(r"mysql://root@localhost/(\w+)\?unix_socket=(.+)/sock", url).groups()
    tables = ask_mariadb(folder, "SHOW TABLES", name).decode().split()
    return b"\n".join(ask_mariadb(folder, f"SELECT * FROM {table}", name) for table in tables)


def ask_redis(folder, *words):
    """Of a server of scripts/test-redis: what it says, as it stands there."""
    return subprocess.run(["redis-cli", "-s", f"{folder}/sock", *words], check=True, stdout=subprocess.PIPE).stdout


def scripts_that_redis_ran(folder):
    """Reservations and reports, and little else."""
    found = re.search(rb"cmdstat_evalsha:calls=(\d+)", ask_redis(folder, "INFO", "commandstats"))
    return int(found.group(1)) if found else 0


def all_that_redis_keeps(folder):
    """The file that it would leave behind; it must not be compressed."""
    ask_redis(folder, "CONFIG", "SET", "rdbcompression", "no")
    ask_redis(folder, "SAVE")
    return Path(folder, "dump.rdb").read_bytes()


def flat(tree, above=""):
    """{"a": {"b": 1}} -> {"a.b": 1}: what two settings have in common merges."""
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from flat(value, above + key + ".")
        else:
            yield above + key, value


def merged(*trees):
    whole = {}
    for tree in trees:
        for path, value in flat(tree):
            place = whole
            *folders, key = path.split(".")
            for folder in folders:
                place = place.setdefault(folder, {})
            place[key] = value
    return whole


class Fleet(contextlib.ExitStack):
    def __init__(self, folder, *, database=None, time_factor=1, settings=None, environment=None):
        """`settings`: per daemon, what its configuration says besides. `environment`: what each process finds there besides."""
        super().__init__()
        self.folder = Path(folder)
        self.database = database or f"sqlite:{self.folder}/crawler.db"
        self.time_factor = time_factor
        self.settings = settings or {}
        self.daemons = []
        self.world = None
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("CRAWLER_")}
        self.environment["CRAWLER_TOKEN_KEYS"] = "fleet:" + base64.b64encode(os.urandom(32)).decode()
        self.environment |= environment or {}

    # --- programs

    def start(self, name, command):
        number = sum(1 for log in self.folder.glob(f"{name}*.log")) + 1
        program = Program(name, command, self.folder / f"{name}-{number}.log", self.environment)
        self.callback(program.kill)
        return program

    def start_world(self, *, seed, sellers, products, faults=None, limits=None):
        scenario = self.folder / "world.yaml"
        scenario.write_text(json.dumps({"faults": faults or {}, "limits": limits or {}, "product_server": {"api_key": API_KEY}}))
        self.world = self.start("marketsim", [
            BIN / "marketsim", "--port", "0", "--seed", str(seed), "--sellers", str(sellers), "--products", str(products),
            "--time-factor", str(self.time_factor), "--scenario", scenario])
        found = self.world.wait_until_it_says(r"listening on http://127\.0\.0\.1:(\d+)")
        self.world.port = int(found.group(1))

    def scaled(self, seconds):
        """A duration of the simulated world, as a configuration writes it."""
        return f"{max(1, round(seconds * 1e6 / self.time_factor))}us"

    def configuration(self, name):
        world = f"http://127.0.0.1:{self.world.port}"
        here = {"http": {"listen": "127.0.0.1:0"}, "database": {"url": self.database}}
        if name in ("trigger", "worker", "outbox-relay"):
            here["pool"] = {
                "token_keys": "${CRAWLER_TOKEN_KEYS}",
                "window": self.scaled(3600), "spacing": self.scaled(1), "guard": self.scaled(10),
                "ceiling": {"per_second": 10 * self.time_factor, "per_hour": 4000 * self.time_factor, "guard": self.scaled(10)},
                "sessions": {"at_once": 10, "retry": self.scaled(300), "look_again": "50ms"},
                "health": {"suspension": self.scaled(3600), "quarantine": self.scaled(6 * 3600)},
                "breaker": {"open_for": self.scaled(600)}}
        if name in ("trigger", "worker"):
            here["marketplace"] = {"url": world}
            here["http_client"] = {"allow_private_addresses": True, "allowed_hosts": ["127.0.0.1"]}
            here["slots"] = {"idle": "50ms"}
        if name == "worker":
            here["sessions"] = {"interval": "50ms"}
            here["task"] = {"retry": {"first_wait": "1s"}}
        if name == "trigger":
            here["trigger"] = {"retry_wait": "1s"}
        if name == "outbox-relay":
            here["loop"] = {"interval": "100ms"}
            here["task_outbox"] = {"horizon": self.scaled(600), "retry": {"first_wait": "1s"}}
            here["scheduler_outbox"] = {"retry": {"first_wait": "1s"}}
        if name == "product-sync":
            here["loop"] = {"interval": "100ms"}
            here["raw_intake"] = {"retry": {"first_wait": "1s"}}
            here["product_outbox"] = {"retry": {"first_wait": "1s"}}
            here["conclusions"] = {"again": "500ms"}
            here["product_server"] = {"url": f"{world}/product-server", "auth_value": f"Bearer {API_KEY}"}
            here["http_client"] = {"allow_private_addresses": True}
        return merged(here, self.settings.get(name, {}))

    def start_daemon(self, name):
        file = self.folder / f"{name}.yaml"
        file.write_text(json.dumps(self.configuration(name), indent=1))
        daemon = self.start(name, [BIN / name, "-c", file])
        daemon.port = int(daemon.wait_until_it_says(r'"event":"service_started".*"port":(\d+)').group(1))
        self.daemons.append(daemon)
        return daemon

    def start_daemons(self, *, workers=1, others=1):
        for name in DAEMONS:
            for _ in range(workers if name == "worker" else others):
                self.start_daemon(name)

    def stop_daemons(self):
        """Their exit codes, by name."""
        for daemon in self.daemons:
            daemon.ask_to_stop()
        return [(daemon.name, daemon.end()) for daemon in self.daemons]

    # --- what an operator says

    def crawlerctl(self, *arguments, accept=(0,)):
        """What it printed; all of it is kept beside the logs."""
        done = subprocess.run([BIN / "crawlerctl", *map(str, arguments)], capture_output=True, text=True, env=self.environment)
        with open(self.folder / "crawlerctl.log", "a", encoding="utf-8") as log:
            log.write(f"$ crawlerctl {' '.join(map(str, arguments))}\n{done.stdout}{done.stderr}")
        if done.returncode not in accept:
            raise Broken(f"crawlerctl {' '.join(map(str, arguments))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def on_database(self, *arguments, accept=(0,)):
        return self.crawlerctl(*arguments, "--database", self.database, accept=accept)

    def enroll(self, count):
        """The built-in fifty, or so many of our own."""
        if count == 50:
            self.on_database("agents", "import", "--builtin")
            return
        file = self.folder / "agents.txt"
        file.write_text("".join(f"Mozilla/5.0 (Linux; Android 14; Demo {i})\n" for i in range(count)))
        self.on_database("agents", "import", file)

    def status(self):
        """With the budget as the daemons count it, once one of them has a configuration."""
        file = self.folder / "worker.yaml"
        where = ("-c", file) if file.exists() else ("--database", self.database)
        return json.loads(self.crawlerctl("status", "--once", "--json", *where))

    # --- what the world says

    def audit(self, details=20):
        return json.loads(ask(f"http://127.0.0.1:{self.world.port}/_sim/audit?limit={details}", timeout=60))

    def cookies_of_the_world(self):
        """What it gives to whoever opens a session."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.world.port}/", headers={"User-Agent": "somebody else"})
        with urllib.request.urlopen(request, timeout=20) as answer:
            return "; ".join(answer.headers.get_all("Set-Cookie")).encode()

    def mutate(self, **change):
        return json.loads(ask(f"http://127.0.0.1:{self.world.port}/_sim/mutate", change))["mutations"]

    def quiet(self):
        ask(f"http://127.0.0.1:{self.world.port}/_sim/faults", {"enabled": False})
