import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { awaitServer } from "./await-server.ts";
import { bareDatabase } from "./testing.ts";

const logged: unknown[] = [];
const logger = { warn: (...text: unknown[]) => logged.push(text) } as unknown as Parameters<
  typeof awaitServer
>[1];

/** A way to the test's server that opens later. */
const relay = (target: URL) =>
  createServer(async (socket) => {
    const { connect } = await import("node:net");
    const far = connect(Number(target.port), target.hostname);
    for (const end of [far, socket]) end.on("error", () => end.destroy());
    socket.pipe(far).pipe(socket);
  });

test("a server that comes later is waited for, and reported as away once", async () => {
  const database = await bareDatabase();
  const target = new URL(database.url);
  const server = relay(target);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  const url = Object.assign(new URL(database.url), { host: `127.0.0.1:${port}` }).href;
  await expect(awaitServer(url, logger, { timeoutMs: 0 })).rejects.toThrow(
    new RegExp(`^WEFT_DATABASE_URL: PostgreSQL at 127.0.0.1:${port} did not answer .*ECONNREFUSED`),
  );
  const waiting = awaitServer(url, logger);
  await expect.poll(() => logged.length).toBe(1);
  await once(server.listen(port, "127.0.0.1"), "listening");
  await waiting;
  expect(logged).toHaveLength(1);
  const wrong = Object.assign(new URL(url), { password: "very-secret" }).href;
  const refused = awaitServer(wrong, logger);
  await expect(refused).rejects.toThrow(/^WEFT_DATABASE_URL: .* refused the login/);
  await expect(refused).rejects.not.toThrow(/very-secret/);
  server.close();
  await database.drop();
}, 30_000);
