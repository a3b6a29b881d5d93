/** Links that go while a wave is observed: by an operator, or because they are down. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FollowingEdge } from "../../../../test/following-edge.ts";
import { WavesWorld } from "../../../../test/waves-world.ts";

let waves: WavesWorld;
beforeAll(async () => {
  waves = await WavesWorld.start();
}, 60_000);
afterAll(() => waves.close());

/** A link that is up, as far as the controller knows for the next hour. */
async function linkOf(one: FollowingEdge, other: FollowingEdge, port: number): Promise<number> {
  const [row] = await waves.rows(sql<{ id: number }>`
    with space as (insert into weft.net_space (enterprise_id, name, topology)
      values (1, ${`links ${port}`}, 0) returning id)
    insert into weft.link (enterprise_id, space_id, index_in_space, a_node_id, a_slot, a_port, a_key,
      b_node_id, b_slot, b_port, b_key)
    select 1, id, 0, ${one.id}, 1, ${port}, 'x', ${other.id}, 1, ${port}, 'y' from space
    returning id`);
  const id = row?.id ?? 0;
  await waves.rows(sql`insert into weft.link_status (link_id, enterprise_id, up, at)
    values (${id}, 1, true, now() + interval '1 hour')`);
  return id;
}

test("a link that was removed is not missed, and one that is down halts the rollout", async () => {
  const [one, two] = (await waves.fleet(2)) as [FollowingEdge, FollowingEdge];
  const links = [await linkOf(one, two, 40_001), await linkOf(one, two, 40_002)];
  const templateId = await waves.templateOf([one]);
  // Longer than a busy machine keeps a device waiting: it is the links that are to be missed.
  const rolloutId = await waves.startWaves(templateId, { grace: 600 });
  await waves.untilMember(rolloutId, one, { outcome: "observed", before: { links: 2 } });
  await waves.rows(sql`delete from weft.link where id = ${links[0]}`);
  await waves.untilMember(rolloutId, one, { now: { links: 1 }, suspects: [], failure: null });
  await waves.rows(sql`update weft.link_status set up = false where link_id = ${links[1]}`);
  await waves.untilMember(rolloutId, one, { suspects: ["links"] });
  // As if that had been so for the grace time.
  await waves.rows(sql`update weft.template_rollout_node set suspects = '{"links": 0}'
    where rollout_id = ${rolloutId}`);
  await waves.untilRollout(templateId, { state: "halted", reason: "gate" });
  expect(await waves.member(rolloutId, one)).toMatchObject({
    failure: { gate: "links", params: { now: 0, before: 1 } },
  });
});
