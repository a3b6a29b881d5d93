import { PassThrough } from "node:stream";
import { liveHeartbeat } from "@weft/contract/domains/monitoring/live-stream.ts";
import type { GrantedMenu } from "@weft/contract/menu.ts";
import { type RawBuilder, sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { SessionUser } from "#kernel/api.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { makeTenant, type Tenant } from "../../../../test/tenants.ts";
import { LiveHub } from "./hub.ts";
import { Outbox } from "./outbox.ts";
import type { Transition } from "./store.ts";

let api: TestApi;
let origin: string;
let admin: string;
let [mine, theirs] = [] as unknown as [Tenant, Tenant];
beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
  mine = await makeTenant(api, admin, "live-mine");
  theirs = await makeTenant(api, admin, "live-theirs");
  origin = await api.app.listen({ port: 0, host: "127.0.0.1" });
}, 60_000);
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => api.close());

interface LiveMessage {
  readonly event: string;
  readonly id: string;
  readonly data: { kind?: string; nodeId?: number; up?: boolean; name?: string };
}

interface Stream {
  readonly received: LiveMessage[];
  readonly status: number;
  readonly ended: Promise<void>;
  until(test: (received: readonly LiveMessage[]) => boolean): Promise<void>;
  close(): void;
}

const ticketOf = async (token: string): Promise<string> =>
  ((await api.get("/customer/live/ticket", {}, token)).data as { ticket: string }).ticket;

const eventOf = (block: string): LiveMessage | null => {
  const fields = Object.fromEntries(
    block
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  );
  if (!fields.event || fields.event === liveHeartbeat) return null;
  return {
    event: fields.event,
    id: fields.id ?? "",
    data: JSON.parse(fields.data ?? "{}"),
  };
};

async function openStream(ticket: string, more = ""): Promise<Stream> {
  const end = new AbortController();
  const answer = await fetch(`${origin}/customer/live/events?ticket=${ticket}${more}`, {
    signal: end.signal,
  });
  const received: LiveMessage[] = [];
  const read = async (): Promise<void> => {
    let text = "";
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      text += new TextDecoder().decode(chunk);
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const one = eventOf(block);
        if (one) received.push(one);
      }
    }
  };
  const ended = read().catch(() => undefined);
  return {
    received,
    status: answer.status,
    ended,
    until: (test) =>
      expect.poll(() => test(received), { timeout: 25_000, interval: 10 }).toBe(true),
    close: () => end.abort(),
  };
}

/** Turns a device on or off, as a gateway does. */
const turn = (tenant: Tenant, online: boolean): Promise<unknown> =>
  sql`insert into node_status (node_id, enterprise_id, online)
    values (${tenant.ids.cpeId}, ${tenant.ids.groupid}, ${online})
    on conflict (node_id) do update set online = excluded.online`.execute(
    api.database.pools.apiAll.db,
  );
const hint = () => api.database.pools.gateway.pg.query("notify weft_transition");

describe("the stream of what changed state", () => {
  test("reports only devices of the caller's tenant, in the order of the writes, within a blink", async () => {
    // Nothing is looked for every two seconds here: what comes was notified.
    vi.useFakeTimers({ toFake: ["setInterval"] });
    const stream = await openStream(await ticketOf(mine.token));
    const all = await openStream(await ticketOf(admin));
    // Vitest's polls would move a simulated clock on.
    vi.useRealTimers();
    await turn(theirs, true);
    await turn(mine, true);
    await hint();
    await stream.until((received) => received.length > 0);
    expect(stream.received[0]?.data).toMatchObject({
      kind: "node",
      nodeId: mine.ids.cpeId,
      up: true,
    });
    await all.until((received) => received.length === 2);
    expect(all.received.map(({ data }) => data.nodeId)).toEqual([theirs.ids.cpeId, mine.ids.cpeId]);
    expect(stream.received).toHaveLength(1);
    stream.close();
    all.close();
  });

  test("has what the caller may read, and nothing of other lists", async () => {
    const { groupid: enterpriseId, cpeId, popId } = mine.ids;
    const seeing = async (...menus: GrantedMenu[]) =>
      openStream(
        await ticketOf(await api.userToken({ enterpriseId, dataScope: 1, permissions: [], menus })),
      );
    const [cpes, pops, alarms, none] = await Promise.all([
      seeing("/sdwan-system/cpe"),
      seeing("/sdwan-system/pop"),
      seeing("/devopsmonitor/alarm"),
      seeing(),
    ]);
    const everything = await openStream(await ticketOf(mine.token));
    const write = (kind: string, nodeId: number, name: string | null) =>
      sql`insert into transition (enterprise_id, created_by, kind, node_id, name, up)
        values (${enterpriseId}, null, ${kind}, ${nodeId}, ${name}, null)`.execute(
        api.database.pools.apiAll.db,
      );
    await write("health", cpeId, "down");
    await write("health", popId, "down");
    await write("state", cpeId, "confirmed");
    await write("alarm", cpeId, "1");
    await hint();
    const told = ({ received }: Stream) =>
      received.map(({ data }) => `${data.kind} ${data.nodeId === popId ? "pop" : "cpe"}`);
    await everything.until((received) => received.length >= 4);
    expect(told(everything)).toEqual(["health cpe", "health pop", "state cpe", "alarm cpe"]);
    // What comes last came to a stream after what it was not sent.
    await cpes.until((received) => received.length >= 2);
    await pops.until((received) => received.length >= 1);
    await alarms.until((received) => received.length >= 1);
    expect(told(cpes)).toEqual(["health cpe", "state cpe"]);
    expect(told(pops)).toEqual(["health pop"]);
    expect(told(alarms)).toEqual(["alarm cpe"]);
    expect(told(none)).toEqual([]);
    for (const stream of [cpes, pops, alarms, none, everything]) stream.close();
  });

  test("without any hint the poll reports it", async () => {
    const stream = await openStream(await ticketOf(mine.token));
    await turn(mine, false);
    await stream.until((received) => received.some(({ data }) => data.up === false));
    stream.close();
  });

  test("a reader that reconnects receives what it missed, or a reset after too long", async () => {
    const first = await openStream(await ticketOf(mine.token));
    await turn(mine, true);
    await hint();
    await first.until((received) => received.length === 1);
    const kept = await openStream(await ticketOf(admin));
    first.close();
    await turn(mine, false);
    await turn(theirs, false);
    const last = first.received[0]?.id ?? "";
    const again = await openStream(await ticketOf(mine.token), `&after=${last}`);
    await again.until((received) => received.length === 1);
    expect(again.received[0]?.data).toMatchObject({ nodeId: mine.ids.cpeId, up: false });
    const lost = await openStream(await ticketOf(mine.token), "&after=1000000");
    await lost.until((received) => received[0]?.event === "reset");
    for (const one of [kept, again, lost]) one.close();
  });

  test("lines and deliveries turn as well", async () => {
    const stream = await openStream(await ticketOf(mine.token));
    const lines = (up: boolean) =>
      sql`update node_status set lines = ${JSON.stringify([{ interfaceName: "wan1", addressing: "dhcp", address: null, up }])}::jsonb
        where node_id = ${mine.ids.cpeId}`.execute(api.database.pools.apiAll.db);
    await lines(true);
    await lines(false);
    await hint();
    await stream.until(
      (received) => received.filter(({ data }) => data.kind === "line").length === 2,
    );
    expect(stream.received.at(-1)?.data).toMatchObject({ kind: "line", name: "wan1", up: false });
    stream.close();
  });

  test("a caller limited to own data gets events of own devices only", async () => {
    const token = await api.userToken({
      enterpriseId: mine.ids.groupid,
      dataScope: 2,
    });
    const blind = await openStream(await ticketOf(token));
    const seeing = await openStream(await ticketOf(mine.token));
    await turn(mine, true);
    await turn(mine, false);
    await hint();
    await seeing.until((received) => received.length >= 2);
    expect(blind.received).toEqual([]);
    blind.close();
    seeing.close();
  });
});

describe("a stream of an account", () => {
  const newToken = () => api.userToken({ enterpriseId: mine.ids.groupid, dataScope: 1 });
  // Its checks every 15 seconds never come.
  const open = async (token: string): Promise<Stream> => {
    vi.useFakeTimers({ toFake: ["setInterval"] });
    const stream = await openStream(await ticketOf(token));
    vi.useRealTimers();
    return stream;
  };

  test("that logs out ends at once", async () => {
    const token = await newToken();
    const stream = await open(token);
    expect(await api.post("/customer/user/logout", {}, token)).toMatchObject({ code: 0 });
    await stream.ended;
  });

  test("that is disabled ends at once, and no other does", async () => {
    const stream = await open(await newToken());
    const token = await newToken();
    const disabled = await open(token);
    const { userId } = (await api.app.weft.authenticate(token, "192.0.2.1"))?.user ?? {};
    await sql`update sys_user set enabled = false where id = ${userId}`.execute(
      api.database.pools.apiAll.db,
    );
    await disabled.ended;
    await turn(mine, true);
    await turn(mine, false);
    await hint();
    await stream.until((received) => received.length > 0);
    stream.close();
  });
});

describe("a stream of a role that is narrowed sends nothing more by what it had", () => {
  /** A person who sees both a tenant and an enterprise below it, and the row of the person's role. */
  const person = async (below: number) => {
    const token = await api.userToken({
      enterpriseId: mine.ids.groupid,
      dataScope: 4,
      selected: [mine.ids.groupid, below],
    });
    const { userId } = (await api.app.weft.authenticate(token, "192.0.2.1"))?.user ?? {};
    const { rows } = await run<{ role: number }>(
      sql`select role_id as role from user_role where user_id = ${userId}`,
    );
    return { token, userId, role: rows[0]?.role ?? 0 };
  };
  const run = <Row>(text: RawBuilder<Row>) => text.execute(api.database.pools.apiAll.db);
  const written = (name: string) =>
    run(sql`insert into transition (enterprise_id, created_by, kind, node_id, name, up)
      values (${mine.ids.groupid}, null, 'line', ${mine.ids.cpeId}, ${name}, true)`);
  type Person = Awaited<ReturnType<typeof person>>;
  const changes: Record<string, (one: Person) => readonly RawBuilder<unknown>[]> = {
    permissions: ({ role }) => [
      sql`delete from role_permission where role_id = ${role}`,
      sql`insert into role_permission (role_id, enterprise_id, permission)
        values (${role}, ${mine.ids.groupid}, '/sdwan-system/cpe')`,
    ],
    "data scope": ({ role }) => [
      sql`update role set data_scope = 2 where id = ${role}`,
      sql`update role set data_scope = 4 where id = ${role}`,
    ],
    enterprises: ({ role }) => [
      sql`delete from role_enterprise where role_id = ${role} and enterprise_id = ${mine.ids.groupid}`,
      sql`insert into role_enterprise (role_id, enterprise_id) values (${role}, ${mine.ids.groupid})`,
    ],
    "demand of MFA": ({ role }) => [
      sql`update role set demands_factor = true where id = ${role}`,
      sql`update role set demands_factor = false where id = ${role}`,
    ],
    "enterprise's demand of MFA": () => [
      sql`update enterprise set password_policy = '8+MFA' where id = ${mine.ids.groupid}`,
      sql`update enterprise set password_policy = 'spec' where id = ${mine.ids.groupid}`,
    ],
    roles: ({ role, userId }) => [
      sql`delete from user_role where user_id = ${userId}`,
      sql`insert into user_role (user_id, role_id, enterprise_id)
        values (${userId}, ${role}, ${mine.ids.groupid})`,
    ],
  };

  test.each(Object.entries(changes))("of its %s", async (_, change) => {
    const one = await person(theirs.ids.groupid);
    const [narrow, widen] = change(one);
    // Its checks every 15 seconds never come.
    vi.useFakeTimers({ toFake: ["setInterval"] });
    const stream = await openStream(await ticketOf(one.token));
    const seeing = await openStream(await ticketOf(admin));
    vi.useRealTimers();
    await written("before");
    await hint();
    await stream.until((received) => received.length === 1);
    await run(narrow as RawBuilder<unknown>);
    await written("meanwhile");
    await hint();
    await seeing.until((received) => received.length === 2);
    await run(widen as RawBuilder<unknown>);
    await written("after");
    await hint();
    await stream.until((received) => received.at(-1)?.data.name === "after");
    expect(stream.received.map(({ data }) => data.name)).toEqual(["before", "after"]);
    stream.close();
    seeing.close();
  });
});

const cpeWentUp = (sequence: number): Transition => ({
  sequence,
  enterpriseId: 1,
  createdBy: null,
  nodeKind: "cpe",
  event: { kind: "node", nodeId: 7, linkId: null, name: null, up: true, at: sequence },
});

const outboxOf = (shown: readonly Transition[]): Outbox =>
  new Outbox({
    read: async (after) => shown.filter(({ sequence }) => sequence > after),
    newest: async () => -1,
    now: () => 0,
  });

test("a stream ends when changed rights of its user cannot be read, and gets no event by the former ones", async () => {
  const shown = [cpeWentUp(0)];
  const authenticated = await api.app.weft.authenticate(mine.token, "192.0.2.1");
  const user = { ...authenticated?.user, scope: { kind: "all" } } as SessionUser;
  const reported: unknown[] = [];
  const failure = new Error("the database does not answer");
  const hub = new LiveHub({
    outbox: outboxOf(shown),
    revive: () => Promise.reject(failure),
    report: (error) => reported.push(error),
  });
  const out = new PassThrough();
  let text = "";
  out.on("data", (chunk) => {
    text += chunk;
  });
  await hub.open(out, user, null);
  hub.hint();
  await expect.poll(() => text, { timeout: 25_000 }).toContain("id: 0");
  shown.push(cpeWentUp(1));
  hub.recheck(user.userId);
  hub.hint();
  await expect.poll(() => out.readableEnded, { timeout: 25_000 }).toBe(true);
  await hub.close();
  expect(text).not.toContain("id: 1");
  expect(reported).toEqual([failure]);
});

/** A hub and a stream of it that opens, while the first read of what is new does not end. */
const openingStream = async () => {
  const authenticated = await api.app.weft.authenticate(mine.token, "192.0.2.1");
  const user = { ...authenticated?.user, scope: { kind: "all" } } as SessionUser;
  const first = Promise.withResolvers<number>();
  const hub = new LiveHub({
    outbox: new Outbox({ read: async () => [], newest: () => first.promise, now: () => 0 }),
    revive: async () => user,
    report: () => undefined,
  });
  const out = new PassThrough();
  out.resume();
  return { hub, out, first, opening: hub.open(out, user, null) };
};

test("a stream that opens while the database does not respond ends, so that its reader reconnects", async () => {
  const { hub, out, first, opening } = await openingStream();
  const failure = new Error("the database does not answer");
  first.reject(failure);
  await expect(opening).rejects.toBe(failure);
  await expect.poll(() => out.readableEnded, { timeout: 25_000 }).toBe(true);
  await hub.close();
});

test("a stream that opens while the process ends is ended, for which the end would wait", async () => {
  const { hub, out, first, opening } = await openingStream();
  await hub.close();
  first.resolve(-1);
  await opening;
  await expect.poll(() => out.readableEnded, { timeout: 25_000 }).toBe(true);
});

test("an idle stream sends a keepalive every 15 seconds", async () => {
  const authenticated = await api.app.weft.authenticate(mine.token, "192.0.2.1");
  const user = { ...authenticated?.user, scope: { kind: "all" } } as SessionUser;
  const hub = new LiveHub({
    outbox: outboxOf([]),
    revive: async () => user,
    report: (error) => expect(error).toBeNull(),
  });
  const out = new PassThrough();
  let text = "";
  out.on("data", (chunk) => {
    text += chunk;
  });
  vi.useFakeTimers({ toFake: ["setInterval"] });
  await hub.open(out, user, null);
  vi.advanceTimersByTime(15_000);
  vi.useRealTimers();
  await expect
    .poll(() => text, { timeout: 25_000 })
    .toContain(`event: ${liveHeartbeat}\ndata: {}\n\n`);
  await hub.close();
});

test("a stream that opens while rights are read gets each event once", async () => {
  const rows = [0, 1].map(cpeWentUp);
  const shown = rows.slice(0, 1);
  const outbox = outboxOf(shown);
  const authenticated = await api.app.weft.authenticate(mine.token, "192.0.2.1");
  const user = { ...authenticated?.user, scope: { kind: "all" } } as SessionUser;
  const { promise: held, resolve: release } = Promise.withResolvers<SessionUser>();
  const report = (error: unknown) => expect(error).toBeNull();
  const hub = new LiveHub({ outbox, revive: () => held, report });
  const stream = () => {
    const out = new PassThrough();
    let text = "";
    out.on("data", (chunk) => {
      text += chunk;
    });
    return { out, ids: () => [...text.matchAll(/id: (\d+)/g)].map(([, id]) => Number(id)) };
  };
  const [first, second] = [stream(), stream()];
  await hub.open(first.out, user, null);
  hub.hint();
  await expect.poll(first.ids, { timeout: 25_000 }).toEqual([0]);
  hub.recheck(user.userId);
  shown.push(rows[1] as Transition);
  hub.hint();
  // Read by the other one's round, or by the opening itself, and held by both.
  const opening = hub.open(second.out, user, 0);
  await expect.poll(() => outbox.after(0)?.length, { timeout: 25_000 }).toBe(1);
  release(user);
  await opening;
  await expect.poll(second.ids, { timeout: 25_000 }).toContain(1);
  await expect.poll(first.ids, { timeout: 25_000 }).toContain(1);
  await hub.close();
  expect(first.ids()).toEqual([0, 1]);
  expect(second.ids()).toEqual([1]);
});

describe("a ticket", () => {
  test("opens no stream to who has to set up MFA by then", async () => {
    const token = await api.userToken({ enterpriseId: mine.ids.groupid, dataScope: 1 });
    const ticket = await ticketOf(token);
    const { userId } = (await api.app.weft.authenticate(token, "192.0.2.1"))?.user ?? {};
    await sql`update role set demands_factor = true
      where id in (select role_id from user_role where user_id = ${userId})`.execute(
      api.database.pools.apiAll.db,
    );
    const stream = await openStream(ticket);
    expect(stream.status).toBe(403);
    stream.close();
  });

  test("opens one stream", async () => {
    const ticket = await ticketOf(mine.token);
    const stream = await openStream(ticket);
    expect(stream.status).toBe(200);
    expect((await openStream(ticket)).status).toBe(403);
    expect((await openStream("")).status).toBe(403);
    stream.close();
  });

  test("of a download opens no stream", async () => {
    const { ticket } = (await api.get("/customer/loginRecord/export", {}, mine.token)).data as {
      ticket: string;
    };
    expect((await openStream(ticket)).status).toBe(403);
  });

  test("beyond eight streams of one login is refused, until one ends", async () => {
    const token = await api.userToken({ enterpriseId: mine.ids.groupid, dataScope: 1 });
    const streams: Stream[] = [];
    for (let at = 0; at < 8; at += 1) streams.push(await openStream(await ticketOf(token)));
    expect(streams.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect((await openStream(await ticketOf(token))).status).toBe(403);
    streams[0]?.close();
    await expect
      .poll(async () => {
        const stream = await openStream(await ticketOf(token));
        stream.close();
        return stream.status;
      })
      .toBe(200);
    for (const stream of streams) stream.close();
  });

  test("beyond 24 streams of one user is refused, however often that user logs in, and others are served", async () => {
    const first = await api.userToken({ enterpriseId: mine.ids.groupid, dataScope: 1 });
    const { loginName } = (await api.get("/customer/session", {}, first)).data as {
      loginName: string;
    };
    const tokens = [first];
    while (tokens.length < 4) tokens.push(await api.logIn(loginName));
    const tickets = await Promise.all(
      tokens.flatMap((token) => Array.from({ length: 8 }, () => ticketOf(token))),
    );
    // Side by side, so that none is counted after another one was let in.
    const streams = await Promise.all(tickets.map((ticket) => openStream(ticket)));
    const statuses = streams.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(24);
    expect(statuses.filter((status) => status === 403)).toHaveLength(8);
    const refused = await fetch(
      `${origin}/customer/live/events?ticket=${await ticketOf(tokens[3] ?? "")}`,
    );
    expect(await refused.text()).toContain("您的账号打开的实时连接已达上限");
    const other = await openStream(await ticketOf(theirs.token));
    expect(other.status).toBe(200);
    for (const stream of [...streams, other]) stream.close();
  });
});
