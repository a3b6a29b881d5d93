import { enrolmentApprove, enrolmentList } from "@weft/contract/domains/devices/enrolment.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runningOf } from "../../test/fake-edge.ts";
import { eventually, type LoopWorld, loopWorld, type Site } from "../../test/loop-world.ts";

let world: LoopWorld;
beforeAll(async () => {
  world = await loopWorld();
  await world.startWorker();
}, 60_000);
afterAll(() => world.close());

const snOf = async (site: Site): Promise<string | undefined> =>
  (
    await sql<{ sn: string }>`select sn from node where id = ${site.id}`.execute(
      world.pools.owner.db,
    )
  ).rows[0]?.sn;

/** A node whose device runs its first state, confirmed. */
async function inUse() {
  const site = await world.addSite();
  const edge = await world.enrolled(site);
  const line = await edge.connect();
  line.send(edge.report());
  const { head } = await line.next("head");
  await edge.confirm(head);
  line.send({ type: "heartbeat", running: runningOf(head), drift: null });
  return { site, edge, line, head };
}

describe("a device that replaces a broken one", () => {
  test("uses its own serial number; configuration and history are kept, the old key becomes invalid", async () => {
    const { site, edge, line, head } = await inUse();
    const sn = `${site.sn}-NEW`;
    const fresh = world.edge(sn);
    expect((await fresh.enrol(await world.claim(site.id, true, sn))).body).toMatchObject({
      state: "approved",
      node: site.id,
    });
    expect((await line.next("refused")).reason).toBe("rejected");
    expect(await snOf(site)).toBe(sn);
    const next = await fresh.connect();
    next.send(fresh.report());
    const given = await next.next("head");
    expect(given.head.sections).toEqual(head.sections);
    expect(given.head.serial).toBe(head.serial);
    expect((await fresh.confirm(given.head)).status).toBe(200);
    expect((await edge.confirm(head)).status).toBe(403);
    const { rows } = await sql<{ old: object; new: object }>`
      select old_value as old, new_value as new from audit
      where action = 'edge.enrol' and new_value ->> 'sn' = ${sn}`.execute(world.pools.owner.db);
    expect(rows[0]).toMatchObject({ old: { sn: site.sn }, new: { sn, nodeId: site.id } });
    next.socket.close();
  });

  test("waits for approval if the activation code requires it; until then the old device stays in place", async () => {
    const { site, edge, line } = await inUse();
    const sn = `${site.sn}-NEW`;
    const fresh = world.edge(sn);
    const claim = await world.claim(site.id, false, sn);
    expect((await fresh.enrol(claim)).body.state).toBe("pending");
    expect(await snOf(site)).toBe(site.sn);
    line.send({ type: "heartbeat", running: null, drift: null });
    await eventually(async () => (await world.stateOf(site.id)).online, "the old one is there");
    const { data } = await world.api.get(
      enrolmentList.path,
      { page: 1, limit: 50, state: "pending" },
      world.admin,
    );
    const waiting = (data as { id: number; nodeId: number }[]).find(
      (row) => row.nodeId === site.id,
    );
    await world.post(enrolmentApprove.path, { ids: waiting?.id });
    expect((await line.seek("refused")).reason).toBe("rejected");
    expect(await snOf(site)).toBe(sn);
    expect((await fresh.enrol(claim)).body).toMatchObject({ state: "approved", node: site.id });
    expect((await edge.enrol(await world.claim(site.id))).body.reason).toBe("claimOtherSerial");
  });

  test("is refused with the serial number of another node", async () => {
    const { site, line } = await inUse();
    const other = await world.addSite();
    await expect(world.claim(site.id, true, other.sn)).rejects.toThrow(other.sn);
    // Used only after the code was created: then the code is invalid.
    const sn = `${site.sn}-LATER`;
    const claim = await world.claim(site.id, true, sn);
    await sql`update node set sn = ${sn} where id = ${other.id}`.execute(world.pools.owner.db);
    expect((await world.edge(sn).enrol(claim)).body.reason).toBe("notYours");
    expect(await snOf(site)).toBe(site.sn);
    line.socket.close();
  });

  test("must be the device that the activation code names", async () => {
    const { site, line } = await inUse();
    const claim = await world.claim(site.id, true, `${site.sn}-NEW`);
    expect((await world.edge(site.sn).enrol(claim)).body.reason).toBe("claimOtherSerial");
    expect(await snOf(site)).toBe(site.sn);
    line.socket.close();
  });
});
