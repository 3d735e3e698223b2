"""How the Python servers of this folder start and stop."""

import argparse
import os
import signal
import socket
import sys
import threading

import uvicorn


class AnnouncingServer(uvicorn.Server):
    """Says in one line where it listens, and leaves with exit code 0 on SIGTERM."""

    async def startup(self, sockets=None):
        await super().startup(sockets)
        print(f"listening on {address_of(sockets[0])}", flush=True)

    def handle_exit(self, sig, frame):
        self.should_exit = True
        # An app with a lifespan is let go in order, else it writes a trace; open streams get a second.
        self.force_exit = self.config.lifespan == "off"


def options(**choices: list[str]) -> argparse.Namespace:
    """Reads `--port N` (or the variable PORT; 0 lets the system choose) and one option per name of `choices`.

    The first choice of each list is its default; `_` in a name is `-` on the command line.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=int(os.environ.get("PORT", "0")))
    for name, values in choices.items():
        parser.add_argument(f"--{name.replace('_', '-')}", choices=values, default=values[0])
    return parser.parse_args()


def listen(port: int) -> socket.socket:
    """Takes the port on 127.0.0.1, so that a server can name its own address before it serves."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    return listener


def address_of(listener: socket.socket) -> str:
    """Returns the address of a listener, with a slash at its end."""
    return f"http://127.0.0.1:{listener.getsockname()[1]}/"


def serve(app, listener: socket.socket | None = None, lifespan: str = "off") -> None:
    """Serves `app` on 127.0.0.1 until SIGTERM, SIGINT or the end of stdin.

    The end of stdin is how a test that dies takes its servers along.
    """
    listener = listener or listen(options().port)
    threading.Thread(target=_leave_with_stdin, daemon=True).start()
    config = uvicorn.Config(app, lifespan=lifespan, log_level="warning", access_log=False, timeout_graceful_shutdown=1)
    AnnouncingServer(config).run(sockets=[listener])


def _leave_with_stdin() -> None:
    while os.read(sys.stdin.fileno(), 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
