import { randomBytes } from "node:crypto";
import { acceptsCapability } from "@weft/contract/device/v1/additions.ts";
import { maxBytes } from "@weft/contract/device/v1/messages.ts";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import { type FakeEdge, type Line, nonce, runningOf } from "../../test/fake-edge.ts";
import { eventually, type LoopWorld, loopWorld, type Site } from "../../test/loop-world.ts";
import { ManualClock } from "../../test/manual-clock.ts";

let world: LoopWorld;
beforeAll(async () => {
  world = await loopWorld({ pollMs: 100, settleMs: 100, measuresMs: 100 });
  await world.startWorker();
}, 60_000);
afterAll(() => world.close());

const open: Line[] = [];
afterEach(() => {
  for (const line of open.splice(0)) line.socket.terminate();
});
const query = <Row>(text: ReturnType<typeof sql<Row>>) =>
  inScope(world.pools.apiAll, { kind: "all" }, async (trx) => (await text.execute(trx)).rows);
const device = async (): Promise<{ site: Site; edge: FakeEdge }> => {
  const site = await world.addSite();
  return { site, edge: await world.enrolled(site) };
};
const connect = async (edge: FakeEdge): Promise<Line> => {
  const line = await edge.connect();
  open.push(line);
  return line;
};
/** Opens a socket and reads the challenge. */
const challenged = async (edge: FakeEdge) => {
  const line = edge.open();
  open.push(line);
  return { line, challenge: (await line.next("challenge")).nonce };
};
const refusal = async (line: Line): Promise<string> => {
  const { reason } = await line.next("refused");
  await line.closed;
  return reason;
};
const isOnline = async (site: Site) => (await world.stateOf(site.id)).online;

describe("a hello", () => {
  test("is answered by a controller that proves itself", async () => {
    const { site, edge } = await device();
    const line = await connect(edge);
    expect(await isOnline(site)).toBe(true);
    line.socket.close();
    await eventually(async () => !(await isOnline(site)), "offline");
  });

  test("with a forged signature is refused", async () => {
    const { site, edge } = await device();
    const stranger = world.edge(site.sn);
    stranger.node = edge.node;
    const { line, challenge } = await challenged(edge);
    line.send(stranger.hello(challenge, nonce(), { publicKey: edge.publicKey }));
    expect(await refusal(line)).toBe("badSignature");
    expect(await isOnline(site)).toBe(false);
  });

  test("that was recorded from another socket is refused", async () => {
    const { edge } = await device();
    const first = await challenged(edge);
    const hello = edge.hello(first.challenge, nonce());
    const second = await challenged(edge);
    second.line.send(hello);
    expect(await refusal(second.line)).toBe("badSignature");
  });

  test("of an unknown key or for another's node is refused, and nothing else is read", async () => {
    const [{ edge }, other] = [await device(), await device()];
    const stranger = world.edge("NOBODY-1");
    stranger.node = edge.node;
    const unknown = await challenged(stranger);
    unknown.line.send(stranger.hello(unknown.challenge, nonce()));
    expect(await refusal(unknown.line)).toBe("unknownNode");
    edge.node = other.edge.node;
    const foreign = await challenged(edge);
    foreign.line.send(edge.hello(foreign.challenge, nonce()));
    expect(await refusal(foreign.line)).toBe("unknownNode");
  });

  test("of another protocol is refused", async () => {
    const { edge } = await device();
    const { line, challenge } = await challenged(edge);
    line.send(edge.hello(challenge, nonce(), { protocol: 2 }));
    expect(await refusal(line)).toBe("protocol");
  });

  test("that does not come in time, or is something else, ends the socket", async () => {
    const { edge } = await device();
    const clock = new ManualClock();
    const { url } = await world.gatewayBeside({ clock });
    const silent = await challenged(edge.at(url));
    clock.advance(world.times.handshakeMs - 1);
    await silent.line.nothingCame();
    clock.advance(1);
    expect(await silent.line.closed).toBe(1006);
    const hostile = ["", "{", "null", "[]", '{"type":"hello"}', `{"type":"${"x".repeat(3_000)}"}`];
    for (const text of [
      ...hostile,
      JSON.stringify(edge.report()),
      randomBytes(64).toString("latin1"),
    ]) {
      const { line } = await challenged(edge);
      line.socket.send(text);
      expect(await refusal(line), text.slice(0, 40)).toBe("badMessage");
    }
    const { line } = await challenged(edge);
    line.socket.send(Buffer.from([1, 2, 3]));
    expect(await refusal(line)).toBe("badMessage");
  });
});

describe("a proven socket", () => {
  test.each(["a\0b", "\ud83d"])(
    "that says what no column could hold (%j) is refused",
    async (text) => {
      const { edge } = await device();
      const messages = [
        edge.report({ version: text }),
        edge.report({ capabilities: [{ name: text, can: true, reason: null }] }),
        { type: "outcome", epoch: 1, serial: 1, outcome: "failed", reason: text },
      ];
      for (const message of messages) {
        const line = await connect(edge);
        line.send(message);
        expect(await refusal(line), message.type).toBe("badMessage");
      }
    },
  );

  test("is replaced by a newer one, and its end does not take the newer one offline", async () => {
    const { site, edge } = await device();
    const older = await connect(edge);
    const newer = await connect(edge);
    expect(await refusal(older)).toBe("replaced");
    newer.send(edge.report());
    await newer.next("head");
    expect(await isOnline(site)).toBe(true);
  });

  test("ends at what breaks the protocol, with a reason", async () => {
    const hostile = [
      "{",
      "[1]",
      '{"type":"need","epoch":1,"serial":1,"sections":["x"]}',
      '{"type":"report"}',
      '{"type":"measures","links":[{"id":-1}]}',
      '{"type":"heartbeat","running":null,"drift":null,"more":1}',
      "\u0000".repeat(100),
      `{"type":"outcome","epoch":1,"serial":1,"outcome":"applied","reason":"${"x".repeat(2_000)}"}`,
    ];
    const { edge } = await device();
    for (const text of hostile) {
      const line = await connect(edge);
      line.socket.send(text);
      expect(await refusal(line), text.slice(0, 40)).toBe("badMessage");
    }
    const twice = await connect(edge);
    twice.send(edge.hello("x".repeat(32), nonce()));
    expect(await refusal(twice)).toBe("badMessage");
    const large = await connect(edge);
    large.socket.send("x".repeat(maxBytes.fromEdge + 1));
    expect(await large.closed).toBe(1009);
    // And after all that the same device is served.
    const line = await connect(edge);
    line.send(edge.report());
    await line.next("head");
  });

  test("that floods is refused", async () => {
    const { edge } = await device();
    const line = await connect(edge);
    for (let turn = 0; turn < 400; turn += 1) {
      line.send({ type: "heartbeat", running: null, drift: null });
    }
    expect(await refusal(line)).toBe("tooMany");
  });

  test("that misses three heartbeats is pinged, then cut off and offline", async () => {
    const { site, edge } = await device();
    const clock = new ManualClock();
    const { url } = await world.gatewayBeside({ clock });
    const line = await connect(edge.at(url));
    let pings = 0;
    line.socket.on("ping", () => {
      pings += 1;
    });
    const heartbeatMs = world.times.heartbeatSeconds * 1_000;
    clock.advance(heartbeatMs);
    await line.nothingCame();
    expect(pings).toBe(0);
    clock.advance(2 * heartbeatMs);
    await line.nothingCame();
    expect(pings).toBe(1);
    clock.advance(heartbeatMs);
    expect(await line.closed).toBe(1006);
    await eventually(async () => !(await isOnline(site)), "offline");
  });

  test("with the report of another serial number is refused", async () => {
    const { edge } = await device();
    const line = await connect(edge);
    line.send(edge.report({ serialNumber: "SOMEBODY-ELSE" }));
    expect(await refusal(line)).toBe("notYours");
  });
});

describe("ends of sockets", () => {
  test("are written while others hold the row of one of them, and that one afterwards", async () => {
    const devices = [await device(), await device(), await device()] as const;
    const lines = await Promise.all(devices.map(({ edge }) => connect(edge)));
    const [held, ...others] = devices;
    await world.pools.owner.db.transaction().execute(async (trx) => {
      await sql`select from weft.node_status where node_id = ${held.site.id} for update`.execute(
        trx,
      );
      for (const line of lines) line.socket.terminate();
      for (const { site } of others)
        await eventually(async () => !(await isOnline(site)), "the others are offline");
      expect(await isOnline(held.site)).toBe(true);
    });
    await eventually(async () => !(await isOnline(held.site)), "the held one is offline");
  });
});

describe("measures", () => {
  /** A link row between two nodes; placement is not what is tested here. */
  const link = async (a: number, b: number): Promise<number> => {
    // A worker that still has to settle the links of these nodes would take this one away.
    for (const id of [a, b]) {
      await eventually(async () => !(await world.stateOf(id)).compiling, "all is compiled");
    }
    const [space] = await query(sql<{ id: number }>`
      insert into net_space (enterprise_id, name, topology) values (1, ${`s${a}-${b}`}, 0) returning id`);
    const [row] = await query(sql<{ id: number }>`
      insert into link (enterprise_id, space_id, index_in_space, a_node_id, a_slot, a_port, a_key,
        b_node_id, b_slot, b_port, b_key)
      values (1, ${space?.id}, 0, ${a}, 1, ${40_000 + b}, 'x', ${b}, 1, ${40_000 + a}, 'y') returning id`);
    return row?.id ?? 0;
  };
  const measure = (id: number, more = {}) => ({
    id,
    up: true,
    rttMs: 10.5,
    jitterMs: 1,
    lossPercent: 0,
    inRate: 1e9,
    outRate: 5,
    ...more,
  });
  const kept = (id: number) =>
    query(sql<{ up: boolean; rtt_ms: number; at: Date; changed_at: Date }>`
      select up, rtt_ms, at, changed_at from link_status where link_id = ${id}`);

  test("of own links are kept; the end that calls is the one that counts", async () => {
    const [one, other] = [await device(), await device()];
    const id = await link(one.edge.node, other.edge.node);
    const line = await connect(one.edge);
    line.send({ type: "measures", links: [measure(id)] });
    const [first] = await eventually(async () => {
      const rows = await kept(id);
      return rows.length > 0 && rows;
    }, "the metrics");
    expect(first).toMatchObject({ up: true, rtt_ms: 10.5 });
    const far = await connect(other.edge);
    far.send({ type: "measures", links: [measure(id, { up: false })] });
    far.send({ type: "heartbeat", running: null, drift: { steps: 3, hash: "a".repeat(64) } });
    await eventually(async () => (await world.stateOf(other.edge.node)).driftSteps === 3, "drift");
    // The far end's are written by then, or with these.
    line.send({ type: "measures", links: [measure(id, { rttMs: 11 })] });
    const [second] = await eventually(async () => {
      const rows = await kept(id);
      return rows[0]?.rtt_ms === 11 && rows;
    }, "the next metrics");
    expect(second).toMatchObject({ up: true, changed_at: first?.changed_at });
    line.send({ type: "measures", links: [measure(id, { up: false, rttMs: null })] });
    const [later] = await eventually(async () => {
      const rows = await kept(id);
      return rows[0]?.up === false && rows;
    }, "the link is down");
    expect(later?.changed_at).not.toEqual(first?.changed_at);
    expect(later?.rtt_ms).toBeNull();
  });

  test("with one link of others are refused whole", async () => {
    const [one, two, three] = [await device(), await device(), await device()];
    const own = await link(one.edge.node, two.edge.node);
    const foreign = await link(two.edge.node, three.edge.node);
    const line = await connect(one.edge);
    line.send({ type: "measures", links: [measure(own), measure(foreign)] });
    expect(await refusal(line)).toBe("notYours");
    expect([...(await kept(own)), ...(await kept(foreign))]).toEqual([]);
    // One that was removed a moment ago is no offence.
    const again = await connect(one.edge);
    again.send({ type: "measures", links: [measure(own), measure(987_654)] });
    await eventually(async () => (await kept(own)).length > 0, "the metrics");
    again.send({ type: "measures", links: [measure(own), measure(own)] });
    expect(await refusal(again)).toBe("badMessage");
  });
});

describe("need", () => {
  test("is answered with own sections only", async () => {
    const [one, other] = [await device(), await device()];
    const [line, far] = [await connect(one.edge), await connect(other.edge)];
    line.send(one.edge.report());
    far.send(other.edge.report());
    const mine = (await line.next("head")).head;
    const theirs = (await far.next("head")).head;
    const secret = theirs.sections.node as string;
    expect(Object.values(mine.sections)).not.toContain(secret);
    const own = mine.sections.node as string;
    line.send({ type: "need", epoch: mine.epoch, serial: mine.serial, sections: [own, secret] });
    expect(Object.keys((await line.next("sections")).contents)).toEqual([own]);
  });

  test("of more than fits in one message is answered in several", async () => {
    const { site, edge } = await device();
    const line = await connect(edge);
    line.send(edge.report());
    const { head } = await line.next("head");
    const big = Array.from({ length: 3 }, (_, at) => String(at).padStart(64, "0"));
    for (const hash of big) {
      await query(sql`insert into state_section (node_id, hash, enterprise_id, content)
        values (${site.id}, ${hash}, 1, to_json(repeat('x', 4000000)))`);
    }
    line.send({ type: "need", epoch: head.epoch, serial: head.serial, sections: big });
    const given: string[] = [];
    while (given.length < big.length) {
      const message = await line.next("sections");
      given.push(...Object.keys(message.contents));
      expect(JSON.stringify(message).length).toBeLessThan(maxBytes.fromController);
    }
    expect(given).toEqual(big);
  });
});

describe("the gateway's login", () => {
  const asNode = <Row>(nodeId: number, text: ReturnType<typeof sql<Row>>) =>
    inScope(
      world.pools.gateway,
      { kind: "node", nodeId },
      async (trx) => (await text.execute(trx)).rows,
    );

  test("reads and writes the rows of the node that it speaks for, and no others", async () => {
    const [one, other] = [await device(), await device()];
    for (const each of [one, other]) {
      const line = await connect(each.edge);
      line.send(each.edge.report({ running: null }));
      const { head } = await line.next("head");
      line.send({ type: "heartbeat", running: runningOf(head), drift: null });
    }
    const tables = ["node_state", "node_status", "state_section", "task", "node_identity"];
    for (const table of tables) {
      const rows = await asNode(
        one.site.id,
        sql<{ node_id: number }>`select node_id from ${sql.table(table)}`,
      );
      expect(new Set(rows.map(({ node_id }) => node_id)), table).toEqual(new Set([one.site.id]));
      const none = await world.pools.gateway.pg.query(`select from weft.${table}`);
      expect(none.rowCount, table).toBe(0);
    }
    for (const table of ["node_state", "node_status", "task"]) {
      const changed = await asNode(
        one.site.id,
        sql`
        update ${sql.table(table)} set enterprise_id = enterprise_id
        where node_id = ${other.site.id} returning node_id`,
      );
      expect(changed, table).toEqual([]);
    }
    for (const table of [
      "node",
      "claim",
      "line",
      "lan_section",
      "sys_user",
      "session",
      "audit",
      "compile_mark",
    ]) {
      await expect(
        asNode(one.site.id, sql`select * from ${sql.table(table)}`),
        table,
      ).rejects.toThrow("permission denied");
    }
    const foreign = sql`insert into change (enterprise_id, node_ids, cause, created_by)
      values (1, array[${other.site.id}]::bigint[], 'x', 0)`;
    await expect(asNode(one.site.id, foreign)).rejects.toThrow("row-level security");
    const space = sql`insert into change (enterprise_id, node_ids, space_ids, cause, created_by)
      values (1, array[${one.site.id}]::bigint[], array[1]::bigint[], 'x', 0)`;
    await expect(asNode(one.site.id, space)).rejects.toThrow("row-level security");
  });
});

test("only an edge that asks for it gets the names of later messages and fields that are read", async () => {
  const [{ edge }, other] = [await device(), await device()];
  const line = await connect(edge);
  const { capabilities } = edge.report();
  const asks = { name: acceptsCapability, can: true, reason: null };
  line.send(edge.report({ capabilities: [...capabilities, asks] }));
  const { names } = await line.next("accepts");
  const first = ["outcome.findings", "metrics.hits", "repairs", "leases", "paths", "moves"];
  const later = ["paths.classes", "pins", "standby", "measures.standMs", "ipv6", "flows"];
  const latest = ["need.bases", "outcome.revision"];
  expect(names).toEqual([...first, ...later, ...latest]);
  const silent = await connect(other.edge);
  silent.send(other.edge.report());
  // What a report is answered with comes before the state.
  await silent.next("head");
});
