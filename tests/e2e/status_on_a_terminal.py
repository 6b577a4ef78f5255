#!/usr/bin/env python3
"""Looks at `crawlerctl status` as a person does, on a terminal: every picture takes the place of the one before.

usage: status_on_a_terminal.py <crawlerctl>
"""
import os
import pty
import subprocess
import sys
import tempfile

CLEAR = "\x1b[H\x1b[2J"


def on_a_terminal(command):
    """What it wrote, and its exit code."""
    child, terminal = pty.fork()
    if child == 0:
        os.execv(command[0], command)
    said = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # so a terminal ends whose program is gone
            break
        if not part:
            break
        said += part
    return said.decode(), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    crawlerctl = sys.argv[1]
    with tempfile.TemporaryDirectory(prefix="crawler-status-") as folder:
        database = ["--database", f"sqlite:{folder}/crawler.db"]
        subprocess.run([crawlerctl, "migrate", *database], check=True, stdout=subprocess.DEVNULL)
        live, code = on_a_terminal([crawlerctl, "status", "--pictures", "3", "--interval-ms", "1", *database])
        once, _ = on_a_terminal([crawlerctl, "status", "--once", *database])
    pictures = live.split(CLEAR)
    wrong = []
    if code != 0:
        wrong.append(f"exit code {code}")
    if pictures[0] != "" or len(pictures) != 4:
        wrong.append(f"{len(pictures) - 1} pictures in place instead of 3")
    if not all("budget left" in picture and "oldest unsent" in picture for picture in pictures[1:]):
        wrong.append("a picture without the budget or the outboxes")
    if "\x1b" in once:
        wrong.append("a single picture that clears the screen")
    sys.exit(f"status on a terminal: {'; '.join(wrong)}\n{live!r}" if wrong else 0)


main()
