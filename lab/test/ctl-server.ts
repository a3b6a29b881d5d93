/**
 * A server with the kinds of answers that a browser gets from a controller; runs in ctl.
 * /big: 16 MiB; /events: server-sent events; /echo: an upgraded connection that answers what it
 * receives, and closes its side only after the other has. Argument: its port.
 */
import { createServer } from "node:http";

const bigBody = Buffer.alloc(16 * 1024 * 1024, "weft");

const server = createServer((request, response) => {
  if (request.url === "/big") {
    response.end(bigBody);
  } else if (request.url === "/events") {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const timer = setInterval(() => response.write("data: tick\n\n"), 100);
    response.on("close", () => clearInterval(timer));
  } else {
    response.end(`hello from ${request.socket.localAddress}`);
  }
});

server.on("upgrade", (_, socket) => {
  socket.write(
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: mirror\r\nConnection: Upgrade\r\n\r\n",
  );
  socket.on("data", (chunk) => socket.write(chunk));
  socket.on("end", () => socket.end("goodbye"));
});

server.listen({ host: "0.0.0.0", port: Number(process.argv[2]) }, () => {
  process.stdout.write("listening\n");
});
