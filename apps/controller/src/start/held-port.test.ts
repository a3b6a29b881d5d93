import { once } from "node:events";
import { connect } from "node:tls";
import { afterEach, expect, test } from "vitest";
import { type HeldPort, holdPort, type Meanwhile } from "./held-port.ts";

let held: HeldPort | null = null;
afterEach(async () => {
  await held?.release();
  held = null;
});

async function reserved(meanwhile: Meanwhile): Promise<number> {
  held = await holdPort({ host: "127.0.0.1", port: 0 }, "WEFT_PORT", undefined, meanwhile);
  return held.port;
}

test("a browser that calls while the stores start is answered as unavailable", async () => {
  const port = await reserved("http");
  const { status, headers } = await fetch(`http://127.0.0.1:${port}/`);
  expect(status).toBe(503);
  expect(headers.get("retry-after")).toBe("1");
});

test("a device that calls meanwhile gets an alert of TLS", async () => {
  const port = await reserved("tls");
  const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false });
  const [error] = await once(socket, "error").catch((thrown: unknown) => [thrown]);
  expect(String(error)).toMatch(/alert internal error/);
});

test("the port is free for its server while connections to it are open", async () => {
  const port = await reserved("tls");
  const silent = connect({ host: "127.0.0.1", port, rejectUnauthorized: false });
  silent.on("error", () => undefined);
  await held?.release();
  held = await holdPort({ host: "127.0.0.1", port }, "WEFT_PORT");
  expect(held.port).toBe(port);
});
