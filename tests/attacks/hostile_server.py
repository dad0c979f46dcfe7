# A server that does harm, for tests/attacks/servers.sh:
#   hostile_server.py FOLDER PORT_FILE
# Serves FOLDER (ranges too). The first word of a path is the harm, a function below, or "ok".
import os
import re
import socket
import struct
import sys
import threading
import time

folder, port_file = sys.argv[1:3]
CRLF = "\r\n"
SECOND = 1.0


class Talk:
    """One connection: what is asked, and ways to answer."""

    def __init__(self, line):
        self.line = line
        self.kept = b""

    def ask(self):
        while b"\r\n\r\n" not in self.kept:
            more = self.line.recv(65536)
            if not more:
                return False
            self.kept += more
        head, self.kept = self.kept.split(b"\r\n\r\n", 1)
        self.head = head.decode("latin1")
        self.path = self.head.split(" ", 2)[1]
        self.harm, _, self.rest = self.path.lstrip("/").split("?")[0].partition("/")
        return True

    def put(self, data):
        self.line.sendall(data.encode("latin1") if isinstance(data, str) else data)

    def start(self, status, *headers):
        self.put("HTTP/1.1 %s\r\n%s\r\n" % (status, "".join(h + CRLF for h in headers)))

    def body(self):
        """Bytes, status and headers of an honest answer."""
        try:
            with open(os.path.join(folder, self.rest), "rb") as file:
                data = file.read()
        except OSError:
            return b"", "404 Not Found", []
        match = re.search(r"^range: bytes=(\d*)-(\d*)\s*$", self.head, re.M | re.I)
        if not match:
            return data, "200 OK", []
        first, last = match.groups()
        if first == "":
            first, last = max(0, len(data) - int(last)), len(data) - 1
        else:
            first, last = int(first), min(int(last), len(data) - 1)
        return (data[first:last + 1], "206 Partial Content",
                ["Content-Range: bytes %d-%d/%d" % (first, last, len(data))])

    def whole(self, *more, length=None):
        data, status, headers = self.body()
        size = len(data) if length is None else length
        self.start(status, "Content-Length: %s" % size, *headers, *more)
        return data

    def pour(self, piece, pause=0.0):
        while True:
            self.put(piece)
            time.sleep(pause)

    def drip(self, data, size, pause):
        for at in range(0, len(data), size):
            self.put(data[at:at + size])
            time.sleep(pause)


def ok(t):
    t.put(t.whole())


# ---- silence ----

def silent(t):
    time.sleep(1000)


def silent_head(t):
    t.put("HTTP/1.1 200 OK\r\n")
    time.sleep(1000)


def silent_body(t):
    t.whole()
    time.sleep(1000)


def silent_middle(t):
    data = t.whole()
    t.put(data[:len(data) // 2])
    time.sleep(1000)


def silent_chunk(t):
    t.start("200 OK", "Transfer-Encoding: chunked")
    t.put("10\r\n0123")
    time.sleep(1000)


# ---- slowness ----

def slow_head(t):
    t.put("HTTP/1.1 200 OK\r\nX-Header: ")
    t.pour("a", SECOND)


def slow_lines(t):
    t.put("HTTP/1.1 200 OK\r\n")
    t.pour("X-Header: a\r\n", SECOND)


def slow_body(t):
    t.drip(t.whole(), 1, SECOND)


def slow_enough(t):
    t.drip(t.whole(), 140, SECOND / 10)


def slow_bursts(t):
    data = t.whole(length=1 << 30)
    t.pour(data[:1] * 20000, 9 * SECOND)


def slow_answers(t):
    time.sleep(0.9 * SECOND)
    t.start("302 Found", "Location: /slow_answers/%d/%s" % (time.time_ns(), t.rest),
            "Content-Length: 0")


def slow_then_short(t):
    data = t.whole()
    t.drip(data[:len(data) // 2], 1400, SECOND)
    t.line.close()


# ---- lengths ----

def long_length(t):
    t.pour(t.whole(length=1 << 30)[:1] * 1400, SECOND)


def long_fast(t):
    t.pour(t.whole(length=1 << 30)[:1] * 65536)


def long_none(t):
    data, status, headers = t.body()
    t.start(status, "Connection: close", *headers)
    t.pour(data[:1] * 65536)


def long_negative(t):
    t.put(t.whole(length=-1))


def long_two(t):
    t.put(t.whole("Content-Length: 3"))


def long_huge(t):
    t.put(t.whole(length="9" * 30))


# ---- heads ----

def heads_endless(t):
    t.put("HTTP/1.1 200 OK\r\n")
    number = 0
    while True:
        t.put("".join("X-%d: %s\r\n" % (number + i, "a" * 200) for i in range(100)))
        number += 100


def heads_line(t):
    t.put("HTTP/1.1 200 OK\r\nX-Header: ")
    t.pour("a" * 65536)


def heads_continue(t):
    t.pour("HTTP/1.1 100 Continue\r\n\r\n" * 100)


def heads_continue_slow(t):
    t.pour("HTTP/1.1 100 Continue\r\n\r\n" * 50, SECOND)


def heads_hints(t):
    t.pour("HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n" * 100)


def heads_folded(t):
    t.put("HTTP/1.1 200 OK\r\nX-Header: a\r\n")
    t.pour(" and more\r\n" * 1000)


def heads_cookies(t):
    data, status, headers = t.body()
    cookies = ["Set-Cookie: n%d=%s" % (i, "a" * 3000) for i in range(2000)]
    t.start(status, "Content-Length: %d" % len(data), *headers, *cookies)
    t.put(data)


def heads_old(t):
    t.put(t.body()[0])
    t.line.close()


def heads_garbage(t):
    t.pour(os.urandom(65536))


def heads_status(t):
    t.start("999 What", "Content-Length: 0")


def heads_switch(t):
    t.start("101 Switching Protocols", "Upgrade: h2c", "Connection: Upgrade")
    t.pour(b"\0" * 65536)


# ---- chunks ----

def chunks_of_one(t):
    data, status, headers = t.body()
    t.start("200 OK", "Transfer-Encoding: chunked")
    t.pour("1;%s\r\na\r\n" % ("b" * 1000))


def chunks_extension(t):
    t.start("200 OK", "Transfer-Encoding: chunked")
    t.put("1;")
    t.pour("b" * 65536)


def chunks_trailers(t):
    data = t.body()[0]
    t.start("200 OK", "Transfer-Encoding: chunked", "Trailer: X")
    t.put("%x\r\n" % len(data))
    t.put(data)
    t.put("\r\n0\r\n")
    t.pour("X-Trailer: %s\r\n" % ("a" * 500) * 100)


def chunks_size(t):
    t.start("200 OK", "Transfer-Encoding: chunked")
    t.put("ffffffffffffffffffff\r\n")
    t.pour("a" * 65536)


def gzip_bomb(t):
    t.put(t.whole("Content-Encoding: gzip"))


# ---- other bodies ----

def body_of_redirect(t):
    t.start("302 Found", "Location: /ok/" + t.rest, "Content-Length: %d" % (1 << 40))
    t.pour("a" * 65536)


def body_of_redirect_slow(t):
    t.start("302 Found", "Location: /ok/" + t.rest, "Content-Length: %d" % (1 << 40))
    t.pour("a" * 1400, SECOND)


def body_of_404(t):
    t.start("404 Not Found", "Content-Length: %d" % (1 << 40))
    t.pour("a" * 65536)


def body_of_404_slow(t):
    t.start("404 Not Found", "Content-Length: %d" % (1 << 40))
    t.pour("a" * 1400, SECOND)


def body_of_500(t):
    t.start("500 Oops", "Content-Length: %d" % (1 << 40))
    t.pour("a" * 65536)


# ---- refusals and redirects ----

def later(t):
    t.start("503 Busy", "Retry-After: 999999999999", "Content-Length: 0")


def later_slow(t):
    time.sleep(0.9 * SECOND)
    t.start("503 Busy", "Retry-After: 10", "Content-Length: 0")


def loop(t):
    t.start("302 Found", "Location: /loop/%d/%s" % (time.time_ns(), t.rest), "Content-Length: 0")


def to_file(t):
    t.start("302 Found", "Location: file:///etc/passwd", "Content-Length: 0")


def to_long(t):
    t.start("302 Found", "Location: /loop/" + "a" * 90000, "Content-Length: 0")


def short(t):
    data = t.whole()
    t.put(data[:len(data) // 2])
    t.line.close()


def reset(t):
    t.line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    t.line.close()


# ---- ranges ----

def ranged(t, text):
    data, status, headers = t.body()
    t.start("206 Partial Content", "Content-Length: %d" % len(data), "Content-Range: " + text)
    t.put(data)


def range_far(t):
    ranged(t, "bytes 18446744073709551614-18446744073709551615/18446744073709551616")


def range_backwards(t):
    ranged(t, "bytes 5-0/10")


def range_unknown(t):
    ranged(t, "bytes 0-9/*")


def range_none(t):
    data, status, headers = t.body()
    t.start("206 Partial Content", "Content-Length: %d" % len(data))
    t.put(data)


def range_parts(t):
    data = t.body()[0]
    t.start("206 Partial Content", "Content-Type: multipart/byteranges; boundary=b",
            "Content-Length: %d" % len(data))
    t.put(data)


def range_cannot(t):
    t.start("416 Range Not Satisfiable", "Content-Range: bytes */0", "Content-Length: 0")


def serve(line):
    talk = Talk(line)
    try:
        # What speaks TLS to this gets no answer: it never sends the end of a head.
        while talk.ask():
            globals()[talk.harm](talk)
    except (OSError, IndexError, KeyError, ValueError):
        pass
    finally:
        line.close()


server = socket.create_server(("127.0.0.1", 0), backlog=64)
with open(port_file + ".new", "w") as file:
    print(server.getsockname()[1], file=file)
os.rename(port_file + ".new", port_file)
while True:
    threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
