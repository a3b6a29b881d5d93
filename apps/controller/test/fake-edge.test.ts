import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { Line } from "./fake-edge.ts";

let server: WebSocketServer;
let url: string;
beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  for (const client of server.clients) client.terminate();
  server.close();
});

const ack = (sequence: number) => ({ type: "metricsAck", boot: "b".repeat(22), sequence });
const refused = { type: "refused", reason: "busy", text: "later", retryAfterMs: 1_000 };

/** Both ends of a connection. */
async function connected(): Promise<{ line: Line; controller: WebSocket }> {
  const accepted = once(server, "connection");
  const line = new Line(url);
  await once(line.socket, "open");
  const [controller] = (await accepted) as [WebSocket];
  return { line, controller };
}
const send = (controller: WebSocket, ...messages: object[]): void => {
  for (const message of messages) controller.send(JSON.stringify(message));
};

test("a message that is sought leaves those before it to be read", async () => {
  const { line, controller } = await connected();
  const sought = line.seek("refused");
  send(controller, ack(1), refused, ack(2));
  expect((await sought).reason).toBe("busy");
  expect((await line.next("metricsAck")).sequence).toBe(1);
  expect((await line.next("metricsAck")).sequence).toBe(2);
});

test("a message of another type, or none in time, fails with what was sought and what came", async () => {
  const { line, controller } = await connected();
  send(controller, ack(1), ack(2));
  await expect(line.next("head")).rejects.toThrow(/^wanted head, got \{"type":"metricsAck".*1\}$/);
  await expect(line.seek("head", 1)).rejects.toThrow(
    /^wanted head, none within 1 ms; not read: (nothing|\{"type":"metricsAck".*2\})$/,
  );
});

test("what came before the end of a connection can be read after it, and then every wait ends", async () => {
  const { line, controller } = await connected();
  const [head, sections] = [line.seek("head"), line.seek("sections")];
  send(controller, ack(1));
  controller.close(1008);
  await line.closed;
  const why = "the connection ended with code 1008; not read:";
  await expect(head).rejects.toThrow(`wanted head, ${why} {"type":"metricsAck"`);
  await expect(sections).rejects.toThrow(`wanted sections, ${why} {"type":"metricsAck"`);
  expect((await line.next("metricsAck")).sequence).toBe(1);
  await expect(line.next("metricsAck")).rejects.toThrow(`wanted metricsAck, ${why} nothing`);
});

test("a controller that is not there ends a wait with the reason", async () => {
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const line = new Line(`ws://127.0.0.1:${port}`);
  await expect(line.next("challenge")).rejects.toThrow(/ended with code 1006: .*ECONNREFUSED/);
});

test("a wait that is not awaited does not fail the run", async () => {
  const { line, controller } = await connected();
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on("unhandledRejection", note);
  void line.seek("head");
  void line.follow("head", async () => undefined);
  controller.terminate();
  await line.closed;
  // Node reports such a rejection once the microtasks have run.
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

test("a device that follows ends with its connection, and reports what went wrong before", async () => {
  const { line, controller } = await connected();
  const taken: number[] = [];
  const broken = line.follow("metricsAck", async ({ sequence }) => {
    if (sequence > 2) throw new Error("no room");
    taken.push(sequence);
  });
  send(controller, ack(1), ack(2), ack(3));
  await expect(broken).rejects.toThrow("no room");
  expect(taken).toEqual([1, 2]);
  const ended = line.follow("metricsAck", async () => {
    controller.terminate();
    throw new Error("the controller is away");
  });
  send(controller, ack(4));
  await ended;
});
