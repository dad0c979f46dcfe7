# A link with a pace and a delay, for tests/cli/shaped.sh: hands on what connections say.
#   shaped_link.py PORT DELAY_MS MBIT_PER_S PORT_FILE
# Half of the delay lies on each way; all connections together share the pace of the way back.
import os
import queue
import socket
import sys
import threading
import time

to_port, delay, pace = int(sys.argv[1]), float(sys.argv[2]) / 2000, float(sys.argv[3]) * 1e6 / 8
lock = threading.Lock()
free_at = [0.0]  # when the link has sent all that it has been given


# When bytes that come now arrive at the other end.
def arrival(size, shaped):
    now = time.monotonic()
    if not shaped:
        return now + delay
    with lock:
        free_at[0] = max(free_at[0], now) + size / pace
        return free_at[0] + delay


def read(source, line, shaped):
    while True:
        try:
            data = source.recv(8192)
        except OSError:
            data = b""
        line.put((arrival(len(data), shaped), data))
        if not data:
            return


def write(sink, line):
    while True:
        due, data = line.get()
        wait = due - time.monotonic()
        if wait > 0:
            time.sleep(wait)
        try:
            if not data:
                sink.shutdown(socket.SHUT_WR)
                return
            sink.sendall(data)
        except OSError:
            return


def join(source, sink, shaped):
    line = queue.Queue(maxsize=64)
    threading.Thread(target=read, args=(source, line, shaped), daemon=True).start()
    threading.Thread(target=write, args=(sink, line), daemon=True).start()


def serve(client):
    server = socket.create_connection(("127.0.0.1", to_port))
    for one in (client, server):
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    join(client, server, False)
    join(server, client, True)


listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(64)
with open(sys.argv[4] + ".new", "w") as file:
    print(listener.getsockname()[1], file=file)
os.rename(sys.argv[4] + ".new", sys.argv[4])
while True:
    serve(listener.accept()[0])
