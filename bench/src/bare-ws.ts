// Yardstick: `ws` with nothing on it. It greets every socket with one message, as a gateway does,
// answers the first message with one, and keeps the socket.
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";

const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
const greeting = JSON.stringify({ type: "challenge", nonce: "x".repeat(32) });
const welcome = JSON.stringify({ type: "welcome", signature: "x".repeat(86) });
server.on("connection", (socket) => {
  socket.send(greeting);
  socket.on("error", () => undefined);
  socket.once("message", () => socket.send(welcome));
});
server.on("listening", () => console.log(`port ${(server.address() as AddressInfo).port}`));
