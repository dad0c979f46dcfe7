# Serves a folder with ranges, and with faults, for tests/cli/http.sh.
#   store_server.py FOLDER LOG PORT_FILE
# The first word of a path is what goes wrong, or "ok"; LOG gets a line for each request:
# METHOD PATH RANGE STATUS BYTES AUTHORIZATION.
import http.server
import os
import re
import socket
import socketserver
import struct
import sys
import threading
import time

folder, log_name, port_file = sys.argv[1:4]
seen = {}
lock = threading.Lock()


def times(key):
    with lock:
        seen[key] = seen.get(key, 0) + 1
        return seen[key]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def note(self, status, size):
        with lock, open(log_name, "a") as log:
            print(self.command, self.path, self.headers.get("Range", "-"), status, size,
                  self.headers.get("Authorization", "-"), file=log)

    def answer(self, status, body=b"", headers=(), length=None):
        self.note(status, len(body))
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        self.wfile.write(body)

    def reset(self):
        self.close_connection = True
        self.connection.close()

    # The part of `data` that the Range asks for, and its Content-Range.
    def part(self, data):
        match = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", ""))
        if not match:
            return data, None
        first, last = match.groups()
        if first == "":
            first, last = max(0, len(data) - int(last)), len(data) - 1
        else:
            first, last = int(first), min(int(last or len(data)), len(data) - 1)
        return data[first:last + 1], "bytes %d-%d/%d" % (first, last, len(data))

    def do_GET(self):
        fault, _, rest = self.path.lstrip("/").split("?")[0].partition("/")
        key = fault + " " + rest + " " + self.headers.get("Range", "")
        if fault == "loop":
            return self.answer(302, headers=[("Location", "/loop/%d/%s" % (times(key), rest))])
        if fault == "moved":
            return self.answer(302, headers=[("Location", "/ok/" + rest)])
        if fault == "token" and self.headers.get("Authorization") != "Bearer sesame":
            return self.answer(401)
        if fault == "slow":
            time.sleep(9)
        if fault == "none":
            return self.answer(404)
        if fault == "forbidden":
            return self.answer(403)
        if fault == "always500" or (fault == "once500" and times(key) == 1):
            return self.answer(500, b"oops" * 30000)
        if fault == "once429" and times(key) == 1:
            return self.answer(429, headers=[("Retry-After", "1")])
        try:
            with open(os.path.join(folder, rest), "rb") as file:
                data = file.read()
        except OSError:
            return self.answer(404)
        body, content_range = self.part(data)
        headers, status = [("Accept-Ranges", "bytes")], 200
        if content_range and fault != "no_ranges":
            status = 206
            if fault == "wrong_range":
                content_range = re.sub(r" (\d+)", lambda m: " %d" % (int(m.group(1)) + 1),
                                       content_range)
            headers.append(("Content-Range", content_range))
        elif content_range:
            body = data
        if fault == "flipped" or (fault == "flipped_once" and times(key) == 1):
            at = len(body) // 2
            body = body[:at] + bytes([body[at] ^ 4]) + body[at + 1:]
        if fault == "longer":
            body += b"more"
        if fault == "once_short" and times(key) == 1 or fault == "always_short":
            self.answer(status, body[:len(body) // 2], headers, len(body))
            return self.reset()
        if fault == "reset" and times(key) == 1:  # RST in mid-body
            self.note(status, len(body))
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[:len(body) // 2])
            self.wfile.flush()
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                       struct.pack("ii", 1, 0))
            return self.reset()
        if fault == "once_reset" and times(key) == 1 or fault == "always_reset":
            return self.reset()
        if fault == "drip" or (fault == "drip_once" and times(key) == 1):
            self.answer(status, body[:1], headers, len(body))
            for i in range(1, len(body)):
                time.sleep(0.2)
                self.wfile.write(body[i:i + 1])
                self.wfile.flush()
            return None
        return self.answer(status, body, headers)

    def do_POST(self):
        self.answer(405)


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request, client_address):
        pass


server = Server(("127.0.0.1", int(sys.argv[4]) if len(sys.argv) > 4 else 0), Handler)
with open(port_file + ".new", "w") as file:
    print(server.server_address[1], file=file)
os.rename(port_file + ".new", port_file)
server.serve_forever()
