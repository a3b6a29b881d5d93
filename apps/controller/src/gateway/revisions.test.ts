/** Later lists of networks on the wire: from a call to the device that runs its state on, and back (ADR 0047). */
import { networkPartsCapability, wholeSections } from "@weft/contract/device/v1/space.ts";
import {
  fromSections,
  revisedHead,
  revisionsCapability,
  type StateHead,
} from "@weft/contract/device/v1/state.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeEdge, type Line, runningOf } from "../../test/fake-edge.ts";
import { eventually, type LoopWorld, loopWorld, type Site } from "../../test/loop-world.ts";
import { wireDraft } from "../../test/tenants.ts";

let world: LoopWorld;
let near: Site;
let far: Site;
let edge: FakeEdge;
beforeAll(async () => {
  world = await loopWorld();
  await world.startWorker();
  near = await world.addSite();
  far = await world.addSite();
  edge = await world.enrolled(far);
}, 60_000);
afterAll(() => world.close());

const capabilities = [networkPartsCapability, revisionsCapability, "wireguard.kernel"].map(
  (name) => ({ name, can: true, reason: null }),
);
const heartbeat = (head: StateHead) => ({
  type: "heartbeat",
  running: runningOf(head),
  drift: { steps: 0, hash: "0".repeat(64) },
});
/** What the device has of sections, by hash. */
const kept = new Map<string, unknown>();

/** Fetches all of a head, with the parts that it names, as an edge does. */
async function fetched(line: Line, head: StateHead): Promise<Map<string, unknown>> {
  const { sections, ...id } = head;
  const get = async (hashes: readonly string[]): Promise<void> => {
    const missing = hashes.filter((hash) => !kept.has(hash));
    if (missing.length === 0) return;
    line.send({ type: "need", ...id, sections: missing });
    const given = await line.seek("sections");
    expect([given.epoch, given.serial, given.revision]).toEqual([id.epoch, id.serial, id.revision]);
    for (const [hash, content] of Object.entries(given.contents)) kept.set(hash, content);
  };
  await get(Object.values(sections));
  const named = new Map(Object.entries(sections).map(([name, hash]) => [name, kept.get(hash)]));
  const parts = [...named.values()].flatMap((content) =>
    typeof content === "object" && content !== null && "parts" in content
      ? (content.parts as string[])
      : [],
  );
  await get(parts);
  return wholeSections(named, (hash) => kept.get(hash));
}
const networksIn = (sections: ReadonlyMap<string, unknown>) =>
  fromSections(sections).spaces?.flatMap(({ networks }) => networks) ?? [];
/** A device that runs the newest state of its node, as its controller knows. */
async function settled(line: Line): Promise<StateHead> {
  const { head } = await line.seek("head");
  await fetched(line, head);
  line.send({
    type: "outcome",
    epoch: head.epoch,
    serial: head.serial,
    outcome: "applied",
    reason: null,
  });
  expect((await edge.confirm(head)).status).toBe(200);
  line.send(heartbeat(head));
  return head;
}

test("a device is sent the list of its space for the state that it runs, confirms it, and keeps it on the next socket", async () => {
  const members = { groupid: 1, topology: 0, popIds: "", cpeIds: `${near.id},${far.id}` };
  const ids = { groupid: 1, cpeId: near.id, popId: 1 };
  const first = await edge.connect();
  first.send(edge.report({ capabilities }));
  await eventually(
    async () => (await world.stateOf(far.id)).capabilities.length > 0,
    "the report is kept",
  );
  await world.post(
    netSpace.ops.add.path,
    wireDraft("netSpace", "valid", ids, { name: "net", ...members }),
  );
  await eventually(async () => {
    const { compiling, desired } = await world.stateOf(far.id);
    return !compiling && desired !== null;
  }, "the state with the space");
  first.socket.close();
  await first.closed;

  const line = await edge.connect();
  line.send(edge.report({ capabilities }));
  const head = await settled(line);
  await world.addLan(near, 7);
  const { type: _, ...revision } = await line.seek("revision");
  expect(revision).toMatchObject({ epoch: head.epoch, serial: head.serial });
  const revised = revisedHead(head, revision);
  expect(networksIn(await fetched(line, revised))).toContain("10.50.7.0/24");
  await eventually(
    async () => (await world.stateOf(far.id)).desired?.outcome === "delivered",
    "operators see that it is on its way",
  );
  const { sections: _sections, ...id } = revised;
  line.send({ type: "outcome", ...id, outcome: "applied", reason: null });
  expect((await edge.confirm(revised)).status).toBe(200);
  line.send(heartbeat(revised));
  await eventually(
    async () => (await world.stateOf(far.id)).desired?.outcome === "confirmed",
    "the revision is confirmed",
  );
  expect(await world.stateOf(far.id)).toMatchObject({ runningSerial: head.serial, blocked: null });
  line.socket.close();
  await line.closed;

  // It is not sent anything that it has; the next list comes to the next socket.
  const next = await edge.connect();
  next.send(edge.report({ capabilities, running: runningOf(revised) }));
  await next.nothingCame();
  await world.addLan(near, 8);
  const later = await next.seek("revision");
  expect(later.revision).toBeGreaterThan(revision.revision);

  // What it does not take comes with its next state.
  const { sections: __, ...failed } = later;
  next.send({ ...failed, type: "outcome", outcome: "failed", reason: "no room" });
  const state = await next.seek("head");
  expect(state.head.serial).toBe(head.serial + 1);
  expect(networksIn(await fetched(next, state.head))).toEqual(
    expect.arrayContaining(["10.50.7.0/24", "10.50.8.0/24"]),
  );
  const { rows } = await sql<{ outcome: string }>`
    select outcome from weft.node_revision where node_id = ${far.id} order by serial, revision`.execute(
    world.pools.owner.db,
  );
  expect(rows.map(({ outcome }) => outcome)).toEqual(["confirmed", "failed"]);
  next.socket.close();
}, 120_000);
