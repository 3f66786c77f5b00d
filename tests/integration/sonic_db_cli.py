# SPDX-License-Identifier: Apache-2.0
"""What SONiC's sonic-db-cli does: sonic_db_cli.py [-s] DATABASE COMMAND...

It finds number and address of the database in the file that SONiC's libraries
have as a constant, and connects by TCP, or with -s by the Unix socket.  Unlike
the original it prints an answer as JSON.
"""

import json
import socket
import sys

DATABASE_CONFIG = "/var/run/redis/sonic-db/database_config.json"


def connect(instance, unix):
    """A connection to the Redis of a database."""
    if not unix:
        return socket.create_connection((instance["hostname"],
                                         instance["port"]))
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(instance["unix_socket_path"])
    return connection


def answer_of(file):
    """One answer of Redis (RESP2)."""
    line = file.readline().decode()
    kind, rest = line[0], line[1:-2]
    if kind == "-":
        sys.exit(rest)
    if kind == "+":
        return rest
    if kind == ":":
        return int(rest)
    if kind == "$":
        return file.read(int(rest) + 2)[:-2].decode() if int(rest) >= 0 \
            else None
    return [answer_of(file) for _ in range(int(rest))]


def main(words):
    unix = words[0] == "-s"
    database, *command = words[unix:]
    with open(DATABASE_CONFIG, encoding="utf-8") as file:
        config = json.load(file)
    entry = config["DATABASES"][database]
    instance = config["INSTANCES"][entry["instance"]]
    with connect(instance, unix) as connection, \
            connection.makefile("rb") as file:
        for request in (["SELECT", str(entry["id"])], command):
            connection.sendall(b"*%d\r\n" % len(request) + b"".join(
                b"$%d\r\n%s\r\n" % (len(word.encode()), word.encode())
                for word in request))
            answer = answer_of(file)
    print(json.dumps(answer))


if __name__ == "__main__":
    main(sys.argv[1:])
