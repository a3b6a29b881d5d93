import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { maxBytes, socketPath } from "@weft/contract/device/v1/messages.ts";
import { WebSocketServer } from "ws";
import type { Hub } from "./hub.ts";
import { createCounter, isLoopback, plainAddress } from "./limits.ts";

/** Sockets that have not proven themselves: of one address, and in all. */
const unproven = { ofAddress: 32, inAll: 1_024 } as const;

/**
 * Takes the upgrades of a server to sockets of devices; other paths get 404.
 * @param mayCome decides by the request who may use this server at all
 */
export function takeUpgrades(
  server: Server,
  hub: Hub,
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
  const counter = createCounter();
  const isFull = (address: string): boolean => {
    const own = counter.add(address);
    if (hub.unproven >= unproven.inAll) return true;
    // Simulated fleets share the loopback address.
    return own > unproven.ofAddress && !isLoopback(address);
  };
  server.on("upgrade", (request, socket, head) => {
    if (request.url !== socketPath || !mayCome(request)) {
      refuse(socket, "404 Not Found");
      return;
    }
    const address = plainAddress(request.socket.remoteAddress);
    const full = isFull(address);
    let counted = true;
    const uncount = (): void => {
      if (counted) counter.remove(address);
      counted = false;
    };
    socket.once("close", uncount);
    if (full) refuse(socket, "503 Service Unavailable");
    else {
      sockets.handleUpgrade(request, socket, head, (open) => {
        hub.open(open, address, uncount);
      });
    }
  });
}

function refuse(socket: Duplex, status: string): void {
  socket.on("error", () => undefined);
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
