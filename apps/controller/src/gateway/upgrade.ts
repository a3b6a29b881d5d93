import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { maxBytes, socketPath } from "@weft/contract/device/v1/messages.ts";
import { WebSocketServer } from "ws";
import { plainAddress } from "#kernel/source.ts";
import type { Connections } from "#plugins/connections.ts";
import type { Hub } from "./hub.ts";

/**
 * Takes the upgrades of a server to sockets of devices; other paths get 404.
 * @param connections those of this server, of which one that proves itself keeps its place
 * @param mayCome decides by the request who may use this server at all
 */
export function takeUpgrades(
  server: Server,
  hub: Hub,
  connections: Connections | undefined,
  mayCome: (request: IncomingMessage) => boolean,
): void {
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    // A session answers pings itself, after all that came before them.
    autoPong: false,
    maxPayload: maxBytes.fromEdge,
    clientTracking: false,
  });
  server.on("upgrade", (request, socket, head) => {
    if (request.url !== socketPath || !mayCome(request)) {
      refuse(socket, "404 Not Found");
      return;
    }
    const address = plainAddress(request.socket.remoteAddress);
    sockets.handleUpgrade(request, socket, head, (open) => {
      hub.open(open, address, () => connections?.proven(request.socket, true));
    });
  });
}

function refuse(socket: Duplex, status: string): void {
  socket.on("error", () => undefined);
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
