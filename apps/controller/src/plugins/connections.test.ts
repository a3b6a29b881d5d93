/** Real sockets on a real listener, from many addresses of this machine. */
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type ConnectionBounds, Connections } from "./connections.ts";
import { boundsOf } from "./descriptors.ts";

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const wide: ConnectionBounds = { inAll: 100, silent: 100, ofSource: 100, silentMs: 1_000 };

interface World {
  readonly connections: Connections;
  readonly ended: Record<string, number>;
  now: number;
  /** Opens one from an address of this machine. */
  open(from?: string): Promise<Socket>;
  ask(socket: Socket, text?: string): Promise<string>;
}

/** A listener whose calls of `/slow` are never answered. */
async function listen(bounds: Partial<ConnectionBounds>): Promise<World> {
  const ended: Record<string, number> = {};
  const world = { now: 0 };
  const connections = new Connections({
    bounds: { ...wide, ...bounds },
    now: () => world.now,
    report(some) {
      for (const [bound, count] of Object.entries(some)) ended[bound] = (ended[bound] ?? 0) + count;
    },
  });
  const server = createServer((request, response) => {
    if (request.headers["x-proven"]) connections.proven(request.socket, false);
    if (request.headers["x-failed"]) connections.failed(request.socket);
    if (request.url !== "/slow") response.end("answer");
  });
  connections.watch(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  ends.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return Object.assign(world, {
    connections,
    ended,
    async open(from = "127.0.0.1") {
      const seen = once(server, "connection");
      const socket = connect({ port, host: "127.0.0.1", localAddress: from });
      socket.on("error", () => undefined);
      ends.push(() => socket.destroy());
      await seen;
      return socket;
    },
    async ask(socket: Socket, text = plainCall) {
      const answer = once(socket, "data");
      socket.write(text);
      return String(await answer).slice(0, 15);
    },
  });
}

const plainCall = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
const provenCall = "GET / HTTP/1.1\r\nHost: x\r\nX-Proven: 1\r\n\r\n";
const failedCall = "GET / HTTP/1.1\r\nHost: x\r\nX-Failed: 1\r\n\r\n";
const slowCall = "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n";
const ok = "HTTP/1.1 200 OK";

const closed = (socket: Socket): Promise<void> =>
  socket.destroyed ? Promise.resolve() : once(socket, "close").then(() => undefined);

describe("connections without a request", () => {
  test("end after their time, and others stay", async () => {
    const world = await listen({});
    const silent = await world.open();
    const asking = await world.open();
    expect(await world.ask(asking)).toBe(ok);
    world.now = 1_000;
    world.connections.sweep();
    await closed(silent);
    expect(await world.ask(asking)).toBe(ok);
    world.connections.sweep();
    expect(world.ended).toEqual({ silentMs: 1 });
  });

  test("of unauthenticated sources end for new ones, the oldest first; those of an authenticated source do not", async () => {
    const world = await listen({ silent: 3 });
    const user = await world.open("127.0.0.2");
    expect(await world.ask(user, provenCall)).toBe(ok);
    const known = await world.open("127.0.0.2");
    const first = await world.open("127.0.0.3");
    const second = await world.open("127.0.0.4");
    const third = await world.open("127.0.0.5");
    await closed(first);
    // A known source finds room as long as there are strangers.
    const again = await world.open("127.0.0.2");
    await closed(second);
    for (const one of [known, third, again]) expect(await world.ask(one)).toBe(ok);
  });

  test("are as many as the bound while many more come", async () => {
    const world = await listen({ silent: 5 });
    for (let at = 0; at < 40; at += 1) await world.open(`127.0.1.${at + 1}`);
    expect(world.connections.counts).toEqual({ open: 5, silent: 5 });
    world.connections.sweep();
    expect(world.ended).toEqual({ silent: 35 });
  });
});

describe("when all places are taken", () => {
  test("idle unauthenticated ones are closed first, then unauthenticated calls, never those of users", async () => {
    const world = await listen({ inAll: 3 });
    const user = await world.open("127.0.0.2");
    expect(await world.ask(user, provenCall)).toBe(ok);
    const slow = await world.open("127.0.0.3");
    slow.write(slowCall);
    const idle = await world.open("127.0.0.4");
    expect(await world.ask(idle)).toBe(ok);
    await expect.poll(() => world.connections.counts.silent).toBe(0);
    const one = await world.open("127.0.0.5");
    await closed(idle);
    expect(await world.ask(one, provenCall)).toBe(ok);
    const two = await world.open("127.0.0.6");
    await closed(slow);
    expect(await world.ask(two, provenCall)).toBe(ok);
    // Only users are left, with nothing under way: a stranger has to go, a user finds room.
    await closed(await world.open("127.0.0.7"));
    expect(await world.ask(await world.open("127.0.0.6"))).toBe(ok);
    expect(world.connections.counts.open).toBe(3);
  });
});

describe("sources whose log-in was refused", () => {
  test("are closed for unauthenticated ones, and end none of their calls until that is long ago", async () => {
    const world = await listen({ inAll: 3 });
    for (const from of ["127.0.0.2", "127.0.0.3", "127.0.0.4"]) {
      const one = await world.open(from);
      expect(await world.ask(one, failedCall)).toBe(ok);
      one.destroy();
    }
    await expect.poll(() => world.connections.counts.open).toBe(0);
    const stranger = await world.open("127.0.0.5");
    stranger.write(slowCall);
    await expect.poll(() => world.connections.counts.silent).toBe(0);
    // Older than the stranger's next one, and all of them calls under way.
    const guesses = [await world.open("127.0.0.2"), await world.open("127.0.0.3")] as const;
    for (const one of guesses) one.write(slowCall);
    await expect.poll(() => world.connections.counts.silent).toBe(0);
    const next = await world.open("127.0.0.4");
    await closed(guesses[0]);
    next.write(slowCall);
    await expect.poll(() => world.connections.counts.silent).toBe(0);
    const others = [await world.open("127.0.0.6"), await world.open("127.0.0.7")] as const;
    await closed(guesses[1]);
    await closed(next);
    for (const one of others) one.write(slowCall);
    await expect.poll(() => world.connections.counts.silent).toBe(0);
    // Only calls of strangers are left.
    await closed(await world.open("127.0.0.2"));
    expect([stranger, ...others].filter((one) => one.destroyed)).toEqual([]);
    world.now = 600_000;
    await world.open("127.0.0.2");
    await closed(stranger);
  });

  test("and prove themselves afterwards are known as any other", async () => {
    const world = await listen({ inAll: 2 });
    const user = await world.open("127.0.0.2");
    expect(await world.ask(user, failedCall)).toBe(ok);
    expect(await world.ask(user, provenCall)).toBe(ok);
    const stranger = await world.open("127.0.0.3");
    stranger.write(slowCall);
    await expect.poll(() => world.connections.counts.silent).toBe(0);
    await world.open("127.0.0.2");
    await closed(stranger);
    expect(user.destroyed).toBe(false);
  });
});

test("one source has no more than its share, and four times as much once it has proven itself", async () => {
  const world = await listen({ ofSource: 2 });
  await world.open();
  await world.open();
  await closed(await world.open());
  const other = await world.open("127.0.0.2");
  expect(await world.ask(other, provenCall)).toBe(ok);
  for (let at = 0; at < 7; at += 1) await world.open("127.0.0.2");
  // The one that is idle gives way.
  await world.open("127.0.0.2");
  await closed(other);
  await closed(await world.open("127.0.0.2"));
  world.connections.sweep();
  expect(world.ended).toEqual({ ofSource: 3 });
});

test("both listeners together leave descriptors for the process itself, whatever its limit", () => {
  for (const limit of [256, 495, 1_024, 20_000, 1_048_576]) {
    const { console, edge } = boundsOf(limit, { api: true, gateway: true });
    expect(console.inAll + edge.inAll).toBeLessThanOrEqual(limit - Math.min(192, limit / 2));
    for (const { inAll, silent, ofSource } of [console, edge]) {
      expect(silent).toBeLessThan(inAll);
      expect(ofSource).toBeLessThan(inAll);
    }
  }
  expect(boundsOf(1_048_576, { api: true, gateway: false }).console.inAll).toBe(10_000);
});
