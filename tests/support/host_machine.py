"""The machine of a host, for what docs/ has them type: the commands run as they stand there, in a folder for its root.

What only root of a whole machine can do is left to stand-ins as small as they can be: they install nothing, run all
as the user of the tests, and start what a unit says as systemd would.
"""

import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager

from tests.support.documents import ROOT, example
from tests.support.free_port import free_port
from tests.support.patience import PATIENCE_S
from tests.support.web.forked import forker

PLACE = re.compile(r"(?<![\w.])/(?:opt|etc|tmp|var/lib|usr/local|usr/sbin/runuser|usr/games)\b")
UNTIL_READY = (
    f"timeout {PATIENCE_S} sh -c 'until curl -sf -o {os.devnull} http://127.0.0.1:%d/ready; do sleep 0.05; done'"
)

FAIRYHOUSE = f"""#!{sys.executable} -IS
import json, os, socket, sys
if len(sys.argv) == 1:
    os.execve(sys.executable, (sys.executable, "-m", "server"), os.environ | {{"PYTHONPATH": {str(ROOT)!r}}})
told, end = os.pipe()
asked = json.dumps([dict(os.environ), sys.argv[1:]]).encode()
socket.send_fds(socket.socket(fileno=int(os.environ["FORKER"])), [asked], [1, 2, end])
os.close(end)
_, code = os.fdopen(told).read().split()
sys.exit(int(code))
"""
"""A server is started as it would be; a command is forked from what has loaded it already, which saves its start."""
RUNUSER = """#!/bin/sh
while [ "$1" != -- ]; do shift; done
shift
exec "$@"
"""
SYSTEMCTL = """#!/bin/sh
case "$*" in
  "daemon-reload" | "status fairyhouse" | "reload caddy") exit ;;
  "enable --now "*.timer) exit ;;
  stop\\ *) verb=stop unit=$2 ;;
  restart\\ *) verb=restart unit=$2 ;;
  start\\ *) verb=start unit=$2 ;;
  "enable --now "*) verb=start unit=$3 ;;
  *) echo "The machine of the tests knows no systemctl $*." >&2; exit 1 ;;
esac
file=$ROOT/etc/systemd/system/${unit%.service}.service
said() { sed -n "s/^$1=//p" "$file" | sed 's/\\$\\$/$/g; s/%%/%/g'; }
if [ $verb != start ]; then
  kill "$(cat "$ROOT/pid")"
  while kill -0 "$(cat "$ROOT/pid")" 2>/dev/null; do sleep 0.05; done
  rm "$ROOT/pid"
fi
[ $verb != stop ] || exit 0
for name in $(said StateDirectory); do mkdir -p -m "$(said StateDirectoryMode)" "$ROOT/var/lib/$name"; done
cd "$(said WorkingDirectory)"
set -a
. "$(said EnvironmentFile)"
set +a
if [ "$(said Type)" = oneshot ]; then exec sh -c "$(said ExecStart)"; fi
sh -c "exec $(said ExecStart)" >> "$ROOT/log" 2>&1 &
echo $! > "$ROOT/pid"
exec UNTIL_READY
"""
NOTHING = "#!/bin/sh\n"


class HostMachine:
    """A machine on which a release is installed as `fairyhouse-1`, with the settings, the unit and the program that
    docs/systemd.md has; nothing runs yet.
    """

    def __init__(self, folder):
        self.root = folder
        self.port, self.other_port = free_port(), free_port()
        self.site = f"http://localhost:{self.port}"
        self.data = folder / "var/lib/fairyhouse"
        for name in ("bin", "tmp", "etc/systemd/system", "usr/local/bin", "usr/local/src", "usr/sbin", "var/lib"):
            (folder / name).mkdir(parents=True)
        for name in ("runuser", "systemctl", "apt-get", "useradd", "journalctl"):
            self._program(folder / "bin" / name, {"runuser": RUNUSER, "systemctl": SYSTEMCTL}.get(name, NOTHING))
        (folder / "usr/sbin/runuser").symlink_to(folder / "bin/runuser")
        self._program(
            folder / "usr/local/bin/fairyhouse-host", self.here(example("systemd.md", "Commands of the host"))
        )
        for name in ("fairyhouse", "fairyhouse-host"):  # the pages say either
            (folder / "bin" / name).symlink_to(folder / "usr/local/bin/fairyhouse-host")
        self.install("fairyhouse-1")
        (folder / "opt/fairyhouse").symlink_to("fairyhouse-1")
        settings = self.here(example("systemd.md", "The settings"))
        (folder / "etc/fairyhouse.env").write_text(f"{settings}FAIRYHOUSE_PORT={self.port}\n")
        self.unit("fairyhouse.service", example("systemd.md", "The service"))

    def install(self, release):
        """Puts the program there as another release."""
        (self.root / "opt" / release / "bin").mkdir(parents=True)
        self._program(self.root / "opt" / release / "bin/fairyhouse", FAIRYHOUSE)

    def unit(self, name, text):
        """Writes a unit for systemd."""
        (self.root / "etc/systemd/system" / name).write_text(self.here(text))

    def here(self, text):
        """What a page has, on this machine."""
        text = text.replace("https://chess.example.org", self.site).replace("8080", str(self.port))
        text = text.replace("8099", str(self.other_port)).replace("--owner fairyhouse --group fairyhouse ", "")
        return PLACE.sub(lambda place: f"{self.root}{place[0]}", text)

    def _shell(self, script):
        """What starts root's shell with this typed into it."""
        kept = {name: os.environ[name] for name in ("HOME", "LANG") if name in os.environ}
        path, forks = f"{self.root}/bin:{os.environ['PATH']}", forker().fileno()
        return {
            "args": ("bash", "-eu", "-c", self.here(script)),
            "cwd": self.root,
            "env": {**kept, "PATH": path, "ROOT": str(self.root), "FORKER": str(forks)},
            "pass_fds": (forks,),
        }

    def run(self, script):
        """What root's shell writes when this is typed. Fails if a command does."""
        done = subprocess.run(**self._shell(script), capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, (script, done.stdout, done.stderr)
        return done.stdout

    @contextmanager
    def typed(self, script, port):
        """The same, with a server in it that serves at `port` until Ctrl-C is pressed at the end."""
        with subprocess.Popen(**self._shell(script), process_group=0) as typed:
            try:
                subprocess.run(UNTIL_READY % port, shell=True, check=True)
                yield
            finally:
                os.killpg(typed.pid, signal.SIGINT)
        assert typed.returncode in (0, -signal.SIGINT), typed.returncode

    def end(self):
        """Leaves nothing running."""
        if (self.root / "pid").exists():
            subprocess.run(("kill", "-9", (self.root / "pid").read_text().strip()), check=False, capture_output=True)

    def _program(self, path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("UNTIL_READY", UNTIL_READY % self.port))
        path.chmod(0o755)
