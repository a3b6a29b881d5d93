/** Which answers are compressed: what is read often and large, and nothing that a length could betray. */

import type { OutgoingHttpHeaders } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { everySession } from "@weft/contract/access.ts";
import { allEndpoints } from "@weft/contract/all-endpoints.ts";
import { session } from "@weft/contract/domains/access/session.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { endpoint } from "@weft/contract/kernel/endpoint.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { mount, mountOpen } from "#kernel/mount.ts";
import { formData, type TestApi, testApi } from "../../test/api.ts";

const text = "0123456789".repeat(1_000);
const callOf = (name: string, more: object) =>
  endpoint({
    id: `test.${name}`,
    path: `/test/${name}`,
    method: "GET",
    may: everySession("a test"),
    input: z.object({}),
    output: z.object({ text: z.string() }),
    ...more,
  });
/** Calls with one long answer. */
const long = {
  read: callOf("read", {}),
  secret: callOf("secret", { secret: true }),
  written: callOf("written", { method: "POST" }),
  open: callOf("open", { auth: "none" }),
};

let api: TestApi;
let token = "";
beforeAll(async () => {
  api = await testApi((app) => {
    for (const call of [long.read, long.secret]) mount(app, call, () => ({ text }));
    mount(app, long.written, () => ({ text }), { unaudited: "writes nothing" });
    mountOpen(app, long.open, () => ({ text }));
  });
  token = await api.logIn("admin");
}, 60_000);
afterAll(() => api.close());

interface Raw {
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}
const get = async (path: string, encoding: string | undefined, query = {}): Promise<Raw> => {
  const headers = encoding === undefined ? {} : { "accept-encoding": encoding };
  const reply = await api.app.inject({
    method: "GET",
    url: path,
    headers,
    query: { ...query, token },
  });
  return { headers: reply.headers, body: reply.rawPayload };
};

test("what a session reads is compressed as the client takes it", async () => {
  const plain = await get(session.path, undefined);
  expect(plain.headers["content-encoding"]).toBeUndefined();
  const brotli = await get(session.path, "gzip, deflate, br, zstd");
  expect(brotli.headers).toMatchObject({ "content-encoding": "br", vary: "accept-encoding" });
  expect(JSON.parse(String(brotliDecompressSync(brotli.body)))).toEqual(
    JSON.parse(String(plain.body)),
  );
  expect(brotli.body.length).toBeLessThan(plain.body.length / 4);
  const gzip = await get(session.path, "gzip");
  expect(gzip.headers).toMatchObject({ "content-encoding": "gzip" });
  expect(JSON.parse(String(gunzipSync(gzip.body)))).toEqual(JSON.parse(String(plain.body)));
  // One of a few bytes would grow.
  const short = await get(cpe.ops.list.path, "br", { page: 1, limit: 10 });
  expect(short.headers["content-encoding"]).toBeUndefined();
});

test("what writes, needs no session or opens something is not, however long it is", async () => {
  const encodings: Record<string, unknown> = {};
  for (const [name, { method, path }] of Object.entries(long)) {
    const reply = await api.app.inject({
      method,
      url: path,
      query: { token },
      headers: { "accept-encoding": "br", ...formData({}).headers },
      ...(method === "POST" && { payload: formData({}).payload }),
    });
    expect(reply.rawPayload.length).toBeGreaterThan(0);
    encodings[name] = reply.headers["content-encoding"] ?? null;
  }
  expect(encodings).toEqual({ read: "br", secret: null, written: null, open: null });
});

/** Names of texts anywhere in an answer. */
function textsIn(schema: z.core.$ZodType, seen = new Set<unknown>()): string[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const { def } = schema._zod;
  const below = (one: unknown): string[] =>
    one instanceof z.core.$ZodType ? textsIn(one, seen) : [];
  const parts = Object.values(def).flat().flatMap(below);
  if (!("shape" in def)) return parts;
  const fields = Object.entries(def.shape as Record<string, z.core.$ZodType>);
  return fields.flatMap(([name, field]) => [
    ...(holdsText(field) ? [name] : []),
    ...textsIn(field, seen),
  ]);
}

const holdsText = (schema: z.core.$ZodType): boolean => {
  const { def } = schema._zod;
  const inner = "innerType" in def ? def.innerType : "in" in def ? def.in : null;
  return def.type === "string" || (inner instanceof z.core.$ZodType && holdsText(inner));
};

test("no call is left out that answers a ticket, a password or a secret", () => {
  const opening = /(?:ticket|secret|passw(?:or)?d|psw|token|claim|otp)$/i;
  const reads = allEndpoints.filter(({ auth, acts }) => auth === "session" && !acts);
  const found = reads.filter(({ output }) => textsIn(output).some((name) => opening.test(name)));
  expect(found.length).toBeGreaterThan(5);
  expect(found.filter(({ secret }) => !secret).map(({ id }) => id)).toEqual([]);
});
