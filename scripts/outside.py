"""What a fleet stands on besides its own processes: nothing, but a database; or what it has in production, played on loopback by servers
that are started and ended here.

Whoever adds a server writes a class like Cloud with `settings` (what the daemons' configurations then say) and `meanwhile` (what happens to
it while the line is at work), and puts it into Production.parts.
"""
import contextlib
import json
import os
import signal
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

import fleet
from fleet import Broken

SCRIPTS = Path(__file__).resolve().parent
REGION = "ap-northeast-2"
ACCOUNT = "000000000000"
TASKS, TRIGGERS = "mustit-crawler-tasks.fifo", "mustit-crawler-triggers"


class NotInstalled(Exception):
    """Something of the outside world is not on this machine; the text is for a person."""


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise Broken(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")


@contextlib.contextmanager
def mariadb_server(folder):
    """The folder of a running server of its own."""
    try:
        run(SCRIPTS / "test-database", "start", folder)
        yield folder
    finally:
        run(SCRIPTS / "test-database", "stop", folder)


@contextlib.contextmanager
def emulators(folder, *names):
    """Where each of them answers, by name."""
    try:
        run(SCRIPTS / "test-emulators", "start", folder, *names, "--real-time")
        found = {name: folder / f"{name}.url" for name in names}
        missing = [name for name, file in found.items() if not file.exists()]
        if missing:
            raise NotInstalled(f"{' and '.join(missing)} not installed; scripts/install-emulators fetches what is missing")
        yield {name: file.read_text().strip() for name, file in found.items()}
    finally:
        run(SCRIPTS / "test-emulators", "stop", folder)


class Aws:
    """What an operator asks of AWS, asked of emulators; nobody looks at the signature."""

    def __init__(self, sqs, events):
        self.sqs, self.events = sqs, events

    def ask(self, service, action, **what):
        url, prefix, version = {"sqs": (self.sqs, "AmazonSQS", "1.0"), "events": (self.events, "AWSEvents", "1.1")}[service]
        headers = {"Content-Type": f"application/x-amz-json-{version}", "X-Amz-Target": f"{prefix}.{action}",
                   "Authorization": f"AWS4-HMAC-SHA256 Credential=demo/20260101/{REGION}/{service}/aws4_request, SignedHeaders=host, Signature=0"}
        try:
            with urllib.request.urlopen(urllib.request.Request(url + "/", json.dumps(what).encode(), headers), timeout=20) as answer:
                return json.loads(answer.read() or b"{}")
        except urllib.error.HTTPError as error:
            raise Broken(f"{service} {action}: {error.code} {error.read().decode(errors='replace')[:500]}")

    # --- queues

    def url_of(self, name):
        return f"{self.sqs}/{ACCOUNT}/{name}"

    def arn_of(self, name):
        return f"arn:aws:sqs:{REGION}:{ACCOUNT}:{name}"

    def create_queue(self, name, *, visibility=30, max_receives=5):
        fifo = {"FifoQueue": "true"} if name.endswith(".fifo") else {}
        dead = self.dead_letters_of(name)
        self.ask("sqs", "CreateQueue", QueueName=dead, Attributes=fifo)
        arn = self.ask("sqs", "GetQueueAttributes", QueueUrl=self.url_of(dead), AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
        policy = json.dumps({"deadLetterTargetArn": arn, "maxReceiveCount": max_receives})
        self.ask("sqs", "CreateQueue", QueueName=name, Attributes={**fifo, "VisibilityTimeout": str(visibility), "RedrivePolicy": policy})

    @staticmethod
    def dead_letters_of(name):
        return name.removesuffix(".fifo") + "-dlq" + (".fifo" if name.endswith(".fifo") else "")

    def depth(self, name):
        """Messages that wait or are in flight."""
        said = self.ask("sqs", "GetQueueAttributes", QueueUrl=self.url_of(name), AttributeNames=["All"])["Attributes"]
        return int(said["ApproximateNumberOfMessages"]) + int(said["ApproximateNumberOfMessagesNotVisible"])

    # --- rules

    def rules(self):
        """Each with its targets."""
        found = self.ask("events", "ListRules", NamePrefix="mustit-crawler-")["Rules"]
        for rule in found:
            rule["Targets"] = self.ask("events", "ListTargetsByRule", Rule=rule["Name"])["Targets"]
        return found

    def fire(self, rule):
        """What EventBridge does when the time of a rule has come: each target's input goes onto the target's queue."""
        for target in rule["Targets"]:
            queue = target["Arn"].rsplit(":", 1)[1]
            fifo = {}
            if queue.endswith(".fifo"):
                fifo = {"MessageGroupId": target["SqsParameters"]["MessageGroupId"],
                        "MessageDeduplicationId": f"{rule['Name']}-{time.time_ns()}"}
            self.ask("sqs", "SendMessage", QueueUrl=self.url_of(queue), MessageBody=target["Input"], **fifo)


class Embedded:
    """Queues and schedules are in the database; an operator starts the runs."""
    settings = {}
    environment = {}

    def crawl(self, line, sellers):
        for seller in sellers:
            line.on_database("sellers", "crawl", seller)

    def dead_letters(self, line):
        return sum(queue["dead"] for queue in line.status()["queues"])

    def meanwhile(self, share):
        """Told again and again, while a pass is under way, how much of it is done (0 to 1)."""

    def judge(self, verdict, line):
        """What must be true of it in the end."""


class Cloud:
    """SQS by ElasticMQ and EventBridge by moto, which keeps rules and never fires one: that is done here."""
    def __init__(self, urls, patience=60):
        self.aws = Aws(urls["elasticmq"], urls["moto"])
        self.patience = patience
        self.fired = 0
        for name in (TASKS, TRIGGERS):
            self.aws.create_queue(name)
        self.environment = {"AWS_ACCESS_KEY_ID": "demo", "AWS_SECRET_ACCESS_KEY": "demo",
                            "AWS_ENDPOINT_URL_SQS": self.aws.sqs, "AWS_ENDPOINT_URL_EVENTBRIDGE": self.aws.events}
        tasks, triggers = ({"queue": {"kind": "sqs", "name": name}, "aws": {"region": REGION}} for name in (TASKS, TRIGGERS))
        self.settings = {
            "trigger": {**triggers, "scheduler": {"enabled": False}}, "worker": tasks,
            "outbox-relay": {**tasks, "rules": {"kind": "eventbridge", "target_arn": self.aws.arn_of(TRIGGERS)}}}

    def rules_of(self, sellers):
        """As soon as the outbox-relay has made them."""
        deadline = time.monotonic() + self.patience
        while True:
            rules = [rule for rule in self.aws.rules() if rule["State"] == "ENABLED" and rule["Targets"]]
            if len(rules) == len(sellers):
                return rules
            if time.monotonic() > deadline:
                raise Broken(f"EventBridge has {len(rules)} rules after {self.patience} s instead of {len(sellers)}")
            time.sleep(0.1)

    def crawl(self, _, sellers):
        for rule in self.rules_of(sellers):
            self.aws.fire(rule)
            self.fired += 1

    def dead_letters(self, _):
        return sum(self.aws.depth(self.aws.dead_letters_of(name)) for name in (TASKS, TRIGGERS))

    def meanwhile(self, share):
        """AWS is always there."""

    def judge(self, verdict, line):
        rules = self.aws.rules()
        right = [rule for rule in rules if rule["ScheduleExpression"] == "rate(1 day)" and
                 [t["Arn"] for t in rule["Targets"]] == [self.aws.arn_of(TRIGGERS)] and "sellerId" in json.loads(rule["Targets"][0]["Input"])]
        verdict.say("rules in EventBridge with their rate, target and input", len(right), len(rules))
        verdict.at_least("firings of these rules, which began every run", self.fired, len(rules))
        verdict.say("messages left on the queues", sum(self.aws.depth(name) for name in (TASKS, TRIGGERS)), 0)


class Redis:
    """In front of the identity pool; in the middle of the first pass it is killed, stays away for a moment and comes back empty."""
    settings = {}  # what says where it is: the demo's own --redis
    environment = {}

    def __init__(self, folder):
        self.folder = folder
        self.state = "up"

    def meanwhile(self, share):
        if self.state == "up" and share >= 0.3:
            os.kill(int((self.folder / "pid").read_text()), signal.SIGKILL)
            self.state = "away"
        elif self.state == "away":
            self.come_back()

    def come_back(self):
        run(SCRIPTS / "test-redis", "start", self.folder)
        self.state = "back"

    def judge(self, verdict, line):
        verdict.say("what became of Redis, which was killed in the middle", self.state, "back")


@contextlib.contextmanager
def redis_server(folder):
    try:
        run(SCRIPTS / "test-redis", "start", folder)
        yield folder
    finally:
        run(SCRIPTS / "test-redis", "stop", folder)


class Production:
    """All that production has; each part takes what the parts before it left to do."""

    def __init__(self, cloud, *others):
        self.cloud = cloud
        self.parts = (cloud, *others)
        self.settings = {}
        for name in (*fleet.DAEMONS,):
            self.settings[name] = fleet.merged(*(part.settings.get(name, {}) for part in self.parts))
        self.environment = {key: value for part in self.parts for key, value in part.environment.items()}

    def crawl(self, line, sellers):
        self.cloud.crawl(line, sellers)

    def dead_letters(self, line):
        return self.cloud.dead_letters(line)

    def meanwhile(self, share):
        for part in self.parts:
            part.meanwhile(share)

    def judge(self, verdict, line):
        for part in self.parts:
            part.judge(verdict, line)


@contextlib.contextmanager
def production(folder):
    """Everything outside, started: the URL of the database, the rest, and the folder of Redis."""
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(mariadb_server(folder / "db"))
        database = stack.enter_context(fleet.mariadb_database(server))
        cloud = Cloud(stack.enter_context(emulators(folder / "aws", "elasticmq", "moto")))
        redis = Redis(stack.enter_context(redis_server(folder / "redis")))
        yield database, Production(cloud, redis), redis.folder
