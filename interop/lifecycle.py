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
        port = sockets[0].getsockname()[1]
        print(f"listening on http://127.0.0.1:{port}/", flush=True)

    def handle_exit(self, sig, frame):
        self.should_exit = True
        self.force_exit = True


def port_argument() -> int:
    """Returns the port of `--port N` or of the variable PORT; 0 lets the system choose."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=int(os.environ.get("PORT", "0")))
    return parser.parse_args().port


def serve(app) -> None:
    """Serves `app` on 127.0.0.1 until SIGTERM, SIGINT or the end of stdin.

    The end of stdin is how a test that dies takes its servers along.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port_argument()))
    threading.Thread(target=_leave_with_stdin, daemon=True).start()
    config = uvicorn.Config(app, lifespan="off", log_level="warning", access_log=False, timeout_graceful_shutdown=1)
    AnnouncingServer(config).run(sockets=[listener])


def _leave_with_stdin() -> None:
    while os.read(sys.stdin.fileno(), 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
