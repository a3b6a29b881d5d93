import { enrolmentApprove, enrolmentList } from "@weft/contract/domains/devices/enrolment.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isClone } from "#domains/devices/presence/clones.ts";
import type { FakeEdge, Line } from "../../test/fake-edge.ts";
import { nonce } from "../../test/fake-edge.ts";
import { type LoopWorld, loopWorld, type Site } from "../../test/loop-world.ts";
import { ManualClock } from "../../test/manual-clock.ts";
import { aliveMs } from "./session.ts";

let world: LoopWorld;
beforeAll(async () => {
  world = await loopWorld();
  await world.startWorker();
}, 60_000);
afterAll(() => world.close());

describe("three replacements in five minutes from two addresses", () => {
  const now = 1_000_000;
  const at = (secondsAgo: number, from = "a", to = "b") => ({
    at: now - secondsAgo * 1_000,
    from,
    to,
  });

  test.each([
    [[at(0), at(100), at(299)], true],
    [[at(0), at(100)], false],
    [[at(0), at(100), at(300)], false],
    [[at(0, "a", "a"), at(1, "a", "a"), at(2, "a", "a")], false],
    [[at(0, "a", "a"), at(1, "a", "a"), at(2, "b", "a")], true],
    [[at(0), at(1), at(-1)], true],
    [[at(0), at(1), at(-300)], false],
  ] as const)("%j: %s", (all, verdict) => {
    expect(isClone(all, now)).toBe(verdict);
  });
});

/** Waits until a socket has the reason for its end. */
const refusal = async (line: Line) => (await line.next("refused")).reason;

/** A new socket of the device; null: its key is quarantined already. */
const connected = (edge: FakeEdge): Promise<Line | null> =>
  edge.connect().catch((error: Error) => {
    if (error.message.includes('"quarantined"')) return null;
    throw error;
  });

const isQuarantined = async (site: Site) => (await identityOf(site))?.state === "quarantined";

/**
 * Each pushes the other off the line, as two devices with one disk do, until their key is quarantined. On a
 * busy machine a socket may answer too late to count, and what counts is recorded after the socket ended:
 * how many rounds it takes is not known.
 * @returns the last socket
 */
async function fight(one: FakeEdge, other: FakeEdge, site: Site): Promise<Line> {
  let line = await one.connect();
  for (let round = 0; !(await isQuarantined(site)); round += 1) {
    const next = await connected(round % 2 === 0 ? other : one);
    if (!next) break;
    expect(["replaced", "quarantined"]).toContain(await refusal(line));
    line = next;
  }
  return line;
}

const connectRefused = async (edge: FakeEdge) => {
  const line = edge.open();
  const challenge = await line.next("challenge");
  line.send(edge.hello(challenge.nonce, nonce()));
  return refusal(line);
};

const identityOf = async (site: Site) => {
  const answer = await world.api.get(enrolmentList.path, { page: 1, limit: 50 }, world.admin);
  const rows = answer.data as { id: number; nodeId: number; state: string; sn: string }[];
  return rows.find((row) => row.nodeId === site.id);
};

/** Replaced sockets that have shown that their device is still there. */
const replacementsOf = async (site: Site): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select jsonb_array_length(replacements) as n
    from weft.node_status where node_id = ${site.id}`.execute(world.pools.owner.db);
  return rows[0]?.n ?? 0;
};

describe("two devices with one key", () => {
  test("are both disconnected, with the reason; the node shows it and the log says where they were", async () => {
    const site = await world.addSite();
    const edge = await world.enrolled(site);
    const last = await fight(edge, edge.copy("127.0.0.2"), site);
    expect((await identityOf(site))?.state).toBe("quarantined");
    // One that proved itself a moment before the quarantine replaces it first, and is quarantined in its place.
    expect(["replaced", "quarantined"]).toContain(await refusal(last));
    expect(await connectRefused(edge)).toBe("quarantined");
    expect(await connectRefused(edge.copy("127.0.0.2"))).toBe("quarantined");
    const { rows } = await sql<{ value: { addresses: string[]; state: string } }>`
      select new_value as value from audit where action = 'edge.quarantine'
        and new_value ->> 'nodeId' = ${String(site.id)}`.execute(world.pools.owner.db);
    expect(rows.length).toBe(1);
    expect(rows[0]?.value.state).toBe("quarantined");
    expect(rows[0]?.value.addresses.sort()).toEqual(["127.0.0.1", "127.0.0.2"]);
    // Nothing is confirmed with that key any more.
    const head = { epoch: 1, serial: 1, sections: {} };
    expect((await edge.confirm(head)).status).toBe(403);
    // Nor does another claim let it in again.
    const again = await edge.enrol(await world.claim(site.id));
    expect(again.body.reason).toBe("quarantined");
  });

  test("end when one of them is enrolled again with a key of its own", async () => {
    const site = await world.addSite();
    const edge = await world.enrolled(site);
    await fight(edge, edge.copy("127.0.0.2"), site);
    const renewed = world.edge(site.sn);
    expect((await renewed.enrol(await world.claim(site.id))).body.state).toBe("approved");
    const line = await renewed.connect();
    line.send(renewed.report());
    expect((await line.next("head")).head.serial).toBeGreaterThan(0);
    expect(await connectRefused(edge)).toBe("rejected");
    line.socket.close();
  });

  test("or when an operator rejects the key permanently", async () => {
    const site = await world.addSite();
    const edge = await world.enrolled(site);
    await fight(edge, edge.copy("127.0.0.2"), site);
    await world.post(enrolmentApprove.path, { ids: (await identityOf(site))?.id });
    const line = await edge.connect();
    line.send(edge.report());
    await line.next("head");
    line.socket.close();
  });
});

describe("one device", () => {
  test("that comes back again and again from one address is no clone", async () => {
    const site = await world.addSite();
    const edge = await world.enrolled(site);
    let line = await edge.connect();
    // One that answers too late does not count: until as many do as make two devices a clone.
    while ((await replacementsOf(site)) < 3) {
      const next = await edge.connect();
      expect(await refusal(line)).toBe("replaced");
      line = next;
    }
    expect((await identityOf(site))?.state).toBe("approved");
    line.socket.close();
  });

  test("that changes lines leaves dead sockets behind, which do not count", async () => {
    const site = await world.addSite();
    const edge = await world.enrolled(site);
    const clock = new ManualClock();
    const gateway = await world.gatewayBeside({ clock });
    const here = edge.at(gateway.url);
    const lines: Line[] = [];
    for (let round = 0; round < 5; round += 1) {
      const line = await (round % 2 === 0 ? here : here.copy("127.0.0.2")).connect();
      // The device is gone from that line: nothing answers there any more.
      (line.socket as unknown as { _socket: { pause(): void } })._socket.pause();
      lines.push(line);
    }
    // Longer than it takes to end each of them.
    clock.advance(10 * aliveMs);
    await gateway.close();
    expect(await replacementsOf(site)).toBe(0);
    expect((await identityOf(site))?.state).toBe("approved");
    for (const { socket } of lines) socket.terminate();
  });
});
