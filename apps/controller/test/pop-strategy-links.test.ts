/** POP strategies on real rows: which links sites get, how they move, and what the strategy says of it. */
import { line } from "@weft/contract/domains/devices/line.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import {
  enterprise,
  enterpriseEditStrategy,
} from "@weft/contract/domains/enterprises/enterprise.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import {
  popGroup,
  popStrategy,
  popStrategySites,
} from "@weft/contract/domains/overlay/pop-strategy.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { settleLeaving } from "#domains/delivery/links/public.ts";
import { createChangeReader, createCompiler } from "#domains/delivery/publish/public.ts";
import { type LoopWorld, loopWorld } from "./loop-world.ts";
import { newIdOf, wireDraft } from "./tenants.ts";

const logger = pino({ level: "silent" });
const far = { longitude: 116.4, latitude: 39.9, regions: "北京市" };
const near = { longitude: 121.5, latitude: 31.2, regions: "上海市" };

let world: LoopWorld;
let made = 0;
beforeAll(async () => {
  world = await loopWorld();
}, 60_000);
afterAll(() => world.close());

const owner = (query: ReturnType<typeof sql>) => query.execute(world.pools.owner.db);
const post = (path: string, fields: object) => world.post(path, fields);
const add = async (
  name: Parameters<typeof wireDraft>[0],
  path: string,
  fields: object,
  groupid = 1,
) => newIdOf(await post(path, wireDraft(name, "valid", { groupid, cpeId: 1, popId: 1 }, fields)));

interface Made {
  readonly id: number;
  readonly name: string;
}

const addEnterprise = async (): Promise<number> => {
  made += 1;
  return add("enterprise", enterprise.ops.add.path, { name: `tenant-${made}`, parentId: 1 });
};

/** A node with one static WAN link, whose device has reported its key. */
async function node(kind: "cpe" | "pop", fields: object, groupid = 1): Promise<Made> {
  made += 1;
  const name = `${kind}-${made}`;
  const id =
    kind === "cpe"
      ? (await world.addSite({ alias: name, groupid, ...fields })).id
      : await add("pop", pop.ops.add.path, { name, sn: name, ...fields });
  await post(
    line.ops.add.path,
    wireDraft(
      "line",
      "valid",
      { groupid, cpeId: id, popId: id },
      {
        nodeId: id,
        slot: 1,
        ip: `198.51.100.${made}/24`,
        gateway: "198.51.100.254",
      },
    ),
  );
  const key = Buffer.from(`k${id}`.padEnd(32, ".")).toString("base64");
  await owner(sql`insert into weft.node_status (node_id, enterprise_id, tunnel_key, online)
    select id, enterprise_id, ${key}, true from weft.node where id = ${id}
    on conflict (node_id) do update set tunnel_key = excluded.tunnel_key`);
  return { id, name };
}

const space = (groupid: number, cpes: readonly Made[], pops: readonly Made[]): Promise<number> => {
  made += 1;
  const ids = (of: readonly Made[]) => of.map(({ id }) => id).join();
  return add(
    "netSpace",
    netSpace.ops.add.path,
    { name: `space-${made}`, topology: 0, cpeIds: ids(cpes), popIds: ids(pops) },
    groupid,
  );
};
const strategyDraft = (name: string, pops: readonly Made[]) => ({
  name,
  groupid: 1,
  remark: "",
  popIds: pops.map(({ id }) => id).join(),
});
async function strategy(...pops: Made[]): Promise<Made> {
  made += 1;
  const name = `strategy-${made}`;
  return { id: newIdOf(await post(popStrategy.ops.add.path, strategyDraft(name, pops))), name };
}
const editStrategy = ({ id, name }: Made, ...pops: Made[]) =>
  post(popStrategy.ops.edit.path, { id, ...strategyDraft(name, pops) });
const choose = (groupid: number, popStrategyId: number | null, pops: readonly Made[] = []) =>
  post(enterpriseEditStrategy.path, {
    groupid,
    strategyType: popStrategyId === null ? 0 : 1,
    popStrategyId: popStrategyId ?? "",
    checkServerData: pops.map(({ id }) => id).join(),
  });

/** Takes all changes that wait and compiles what they mark, as the worker does. */
async function settle(): Promise<void> {
  const reader = createChangeReader(world.pools, logger);
  while ((await reader.run()) > 0);
  const compiler = createCompiler(world.pools, logger, () => undefined);
  while ((await compiler.run()) === 0);
}
/** Every device runs its newest state. */
const confirm = () =>
  owner(sql`update weft.node_state set outcome = 'confirmed'
  where outcome in ('waiting', 'delivered', 'applied')`);
const linksOf = async ({ id }: Made): Promise<string[]> => {
  const { rows } = await sql<{ one: string }>`
    select p.name || coalesce(' ' || l.place, '') || case when l.is_leaving then ' leaving' else '' end
      as one
    from weft.link l join weft.node p on p.id = l.b_node_id where l.a_node_id = ${id}
    order by l.place nulls first, p.name`.execute(world.pools.owner.db);
  return rows.map(({ one }) => one);
};
/** A device reports one of its links up since a while. */
const report = (cpe: Made, to: Made, up: boolean, since = "1 minute") =>
  owner(sql`
  insert into weft.link_status (link_id, enterprise_id, up, changed_at)
  select id, enterprise_id, ${up}, now() - ${since}::interval from weft.link
  where a_node_id = ${cpe.id} and b_node_id = ${to.id}
  on conflict (link_id) do update set up = excluded.up, at = now(), changed_at = excluded.changed_at`);
const preferences = async ({ id }: Made): Promise<number[]> => {
  const { rows } = await sql<{ content: { neighbors: { preference: number }[] } }>`
    select s.content from weft.state_section s join (
      select distinct on (node_id) node_id, sections from weft.node_state where node_id = ${id}
      order by node_id, epoch desc, serial desc) n on n.node_id = s.node_id
    join lateral jsonb_each_text(n.sections) as one (name, hash) on one.hash = s.hash
    where one.name like 'routing%'`.execute(world.pools.owner.db);
  return rows
    .flatMap(({ content }) => content.neighbors.map(({ preference }) => preference))
    .sort((a, b) => a - b);
};
const rowOf = async ({ name }: Made) => {
  const { data } = await world.api.get(
    popStrategy.ops.list.path,
    { name, page: 1, limit: 10 },
    world.admin,
  );
  return (data as RowOf<typeof popStrategy>[])[0];
};
const sitesOf = async ({ id }: Made) => {
  const answer = await world.api.get(
    popStrategySites.path,
    { strategyId: id, page: 1, limit: 10 },
    world.admin,
  );
  return (answer.data as { name: string; standing: string; findings: { reason: string }[] }[]).map(
    (one) => [one.name, one.standing, ...one.findings.map(({ reason }) => reason)].join(" "),
  );
};

describe("without a strategy", () => {
  test("a site prefers the nearest POP, by its coordinates, and another one once that is nearer", async () => {
    const groupid = await addEnterprise();
    const pops = [await node("pop", far), await node("pop", near)];
    const cpe = await node("cpe", { longitude: 120.6, latitude: 31.3 }, groupid);
    await space(groupid, [cpe], pops);
    await settle();
    expect(await linksOf(cpe)).toEqual([`${pops[1]?.name} 0`, `${pops[0]?.name} 1`]);
    expect(await preferences(cpe)).toEqual([160, 240]);
    const { rows } = await sql<{ sn: string }>`
      select sn from weft.node where id = ${cpe.id}`.execute(world.pools.owner.db);
    await post("/customer/cpe/edit", {
      ...wireDraft(
        "cpe",
        "valid",
        { groupid, cpeId: 1, popId: 1 },
        {
          alias: cpe.name,
          sn: rows[0]?.sn,
          longitude: 116.1,
          latitude: 39.5,
        },
      ),
      id: cpe.id,
    });
    await settle();
    expect(await linksOf(cpe)).toEqual([`${pops[0]?.name} 0`, `${pops[1]?.name} 1`]);
  });
});

describe("with a strategy", () => {
  test("links are made with its POPs only, in its order, and an enterprise without it is not concerned", async () => {
    const [mine, other] = [await addEnterprise(), await addEnterprise()];
    const pops = [await node("pop", near), await node("pop", far), await node("pop", near)];
    const [first, second, third] = pops as [Made, Made, Made];
    const east = await strategy(second, first);
    await choose(mine, east.id);
    const [cpe, neighbour] = [await node("cpe", near, mine), await node("cpe", near, other)];
    await space(mine, [cpe], pops);
    await space(other, [neighbour], pops);
    await settle();
    expect(await linksOf(cpe)).toEqual([`${second.name} 0`, `${first.name} 1`]);
    expect(await linksOf(neighbour)).toHaveLength(3);
    expect(await rowOf(east)).toMatchObject({
      users: 1,
      sites: 1,
      links: 2,
      moving: 0,
      unplaced: 0,
    });
    const before = await linksOf(neighbour);
    await editStrategy(east, third);
    await settle();
    expect(await linksOf(neighbour)).toEqual(before);
    await choose(mine, null);
    await settle();
    expect((await linksOf(cpe)).filter((link) => link.endsWith("leaving"))).toEqual([]);
    expect(await linksOf(cpe)).toHaveLength(3);
  });

  test("a POP of a group is one of it, and an enterprise may use some of its POPs only", async () => {
    const groupid = await addEnterprise();
    const pops = [await node("pop", {}), await node("pop", {}), await node("pop", {})];
    const [first, second, third] = pops as [Made, Made, Made];
    const all = await strategy(first, third);
    await choose(groupid, all.id);
    const cpe = await node("cpe", {}, groupid);
    await space(groupid, [cpe], pops);
    await settle();
    expect(await linksOf(cpe)).toEqual([`${first.name} 0`, `${third.name} 1`]);
    const ids = `${second.id}`;
    const group = newIdOf(
      await post(popGroup.ops.add.path, { name: "more", strategyId: all.id, popIds: ids }),
    );
    await settle();
    expect(await linksOf(cpe)).toEqual([`${first.name} 0`, `${third.name} 1`, `${second.name} 2`]);
    await post(popGroup.ops.remove.path, { ids: group });
    await choose(groupid, all.id, [third]);
    await settle();
    expect(await linksOf(cpe)).toEqual([
      `${first.name} leaving`,
      `${second.name} leaving`,
      third.name,
    ]);
  });

  test("a POP that is taken out keeps its links until others carry, then they go", async () => {
    const groupid = await addEnterprise();
    const [old, next] = [await node("pop", near), await node("pop", near)];
    const east = await strategy(old);
    await choose(groupid, east.id);
    const cpe = await node("cpe", near, groupid);
    await space(groupid, [cpe], [old, next]);
    await settle();
    await confirm();
    await report(cpe, old, true);
    expect(await linksOf(cpe)).toEqual([old.name]);
    await editStrategy(east, next);
    await settle();
    expect(await linksOf(cpe)).toEqual([`${old.name} leaving`, next.name].sort());
    expect(await preferences(cpe)).toEqual([4, 240]);
    expect(await sitesOf(east)).toEqual([`${cpe.name} moving`]);
    expect(await rowOf(east)).toMatchObject({ sites: 1, links: 1, moving: 1, unplaced: 0 });
    // The new link is up, and the devices do not run the state yet that prefers it.
    await report(cpe, next, true);
    expect(await settleLeaving(world.pools)).toBe(0);
    // They do, and the link has only just come up.
    await confirm();
    await report(cpe, next, true, "1 second");
    expect(await settleLeaving(world.pools)).toBe(0);
    await report(cpe, next, true);
    expect(await settleLeaving(world.pools)).toBe(1);
    await settle();
    expect(await linksOf(cpe)).toEqual([next.name]);
    expect(await sitesOf(east)).toEqual([`${cpe.name} placed`]);
    expect(await settleLeaving(world.pools)).toBe(0);
  });

  test("without a POP in the space it has a finding, and the links of the site stay", async () => {
    const groupid = await addEnterprise();
    const [old, elsewhere] = [await node("pop", near), await node("pop", near)];
    const cpe = await node("cpe", near, groupid);
    await space(groupid, [cpe], [old]);
    await settle();
    const east = await strategy(elsewhere);
    await choose(groupid, east.id);
    await settle();
    await confirm();
    expect(await linksOf(cpe)).toEqual([`${old.name} leaving`]);
    expect(await settleLeaving(world.pools)).toBe(0);
    expect(await sitesOf(east)).toEqual([`${cpe.name} unplaced noPop`]);
    expect(await rowOf(east)).toMatchObject({ sites: 1, links: 0, moving: 1, unplaced: 1 });
    const { findings } = await world.stateOf(cpe.id);
    expect(findings.map(({ reason, params }) => [reason, params])).toEqual([
      ["noPop", { strategy: east.name }],
    ]);
  });

  test("a POP past its time gets no new site, and keeps the one that it has", async () => {
    const groupid = await addEnterprise();
    const ending = await node("pop", near);
    const east = await strategy(ending);
    await choose(groupid, east.id);
    const [before, after] = [await node("cpe", near, groupid), await node("cpe", near, groupid)];
    await space(groupid, [before], [ending]);
    await settle();
    await owner(
      sql`update weft.node set expire_at = now() - interval '1 day' where id = ${ending.id}`,
    );
    await space(groupid, [after], [ending]);
    await settle();
    expect([await linksOf(before), await linksOf(after)]).toEqual([[ending.name], []]);
    expect((await sitesOf(east)).sort()).toEqual(
      [`${after.name} unplaced popExpired`, `${before.name} placed`].sort(),
    );
  });
});
