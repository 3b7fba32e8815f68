"""The sandbox that `linekeeper exec` has started, and a server for its callbacks."""

import base64
import json
import os
import queue
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

URL = os.environ["LINEKEEPER_URL"]
OPERATOR = {"Authorization": "Bearer " + os.environ["LINEKEEPER_OPERATOR_KEY"]}


def call(method, path, body=None, headers=OPERATOR):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", **headers}
    request = urllib.request.Request(URL + path, data, headers, method=method)
    with urllib.request.urlopen(request, timeout=90) as answer:
        return json.load(answer)


def log_in():
    """The headers with which an application calls for a user."""
    env = os.environ
    basic = f"{env['LINEKEEPER_CLIENT_ID']}:{env['LINEKEEPER_CLIENT_SECRET']}"
    request = urllib.request.Request(
        URL + "/ts/v1/oauth2/token",
        b"grant_type=client_credentials",
        {"Authorization": "Basic " + base64.b64encode(basic.encode()).decode()},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        headers = {"Authorization": "Bearer " + json.load(answer)["access_token"]}
    user = {"username": env["LINEKEEPER_USERNAME"], "password": env["LINEKEEPER_PASSWORD"]}
    session = call("POST", "/m2m/v1/session/login", user, headers)
    return {**headers, "SVC-M2M-Token": session["sessionToken"]}


class Listener:
    """Listens for callbacks on a free port of this machine."""

    def __init__(self):
        heard = self.heard = queue.Queue()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                heard.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def wait_for(self, fits, within_seconds=10):
        """The next callback that fits; queue.Empty where none comes in time."""
        while True:
            payload = self.heard.get(timeout=within_seconds)
            if fits(payload):
                return payload
