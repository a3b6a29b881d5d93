/** What becomes of connections when the server closes, by how much of a call they carry. */
import { once } from "node:events";
import { type AddressInfo, createConnection, type Socket } from "node:net";
import Fastify from "fastify";
import { afterEach, describe, expect, test } from "vitest";
import { drainOnClose } from "./drain.ts";

const opened: Socket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
});

/** A server as the controller makes it, and one connection that has sent this much. */
async function connected(sent: string, limitMs?: number) {
  const app = Fastify({ forceCloseConnections: "idle", requestTimeout: 60_000 });
  drainOnClose(app, limitMs);
  app.post("/", async ({ body }) => body);
  const accepted = once(app.server, "connection");
  await app.listen({ port: 0, host: "127.0.0.1" });
  const socket = createConnection((app.server.address() as AddressInfo).port, "127.0.0.1");
  opened.push(socket);
  let answer = "";
  socket.on("data", (chunk) => {
    answer += String(chunk);
  });
  const ended = once(socket, "close").then(() => answer);
  const [atServer] = (await accepted) as [Socket];
  socket.write(sent);
  await expect.poll(() => atServer.bytesRead).toBe(sent.length);
  return { app, socket, ended };
}

const head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\n";

describe("a server that closes", () => {
  test("waits for no connection on which nothing was sent", async () => {
    const { app, ended } = await connected("");
    await app.close();
    expect(await ended).toBe("");
  });

  test("answers a call whose body was half received, and closes its connection", async () => {
    const { app, socket, ended } = await connected(`${head}ab`);
    const closed = app.close();
    socket.write("cd");
    const answer = await ended;
    expect(answer).toMatch(/^HTTP\/1\.1 200 .*connection: close.*\r\n\r\nabcd$/is);
    await closed;
  });

  test.each([
    ["head", head.slice(0, 20)],
    ["body", `${head}ab`],
  ])("cuts a connection whose rest of the %s never comes", async (_, sent) => {
    const { app, ended } = await connected(sent, 200);
    await app.close();
    expect(await ended).toBe("");
  });

  test("reads what was sent just before", async () => {
    const { app, socket, ended } = await connected("");
    socket.write(`${head}abcd`);
    const closed = app.close();
    // Answered rather than cut: the client knows that nothing was done.
    expect(await ended).toMatch(/^HTTP\/1\.1 503 /);
    await closed;
  });
});
