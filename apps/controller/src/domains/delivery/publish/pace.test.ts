// Sites join a space one after the other: what each of them costs the others.
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";
import { createCompiler } from "./compile-marked.ts";
import { createChangeReader, type Pace } from "./read-changes.ts";

const logger = pino({ level: "silent" });
const count = 10;
/** Others wait longer than any test takes. */
const longPace: Pace = { msPerNode: 60_000, maxMs: 600_000 };
let api: TestApi;
let admin: string;
const sites: number[] = [];

const post = async (path: string, fields: object): Promise<number> => {
  const answer = await api.post(path, fields, admin);
  expect(answer).toMatchObject({ code: 0 });
  return newIdOf(answer);
};
const take = async (pace: Pace): Promise<void> => {
  const reader = createChangeReader(api.database.pools, logger, pace);
  while ((await reader.run()) > 0);
};
/** Compiles what is due; gives the nodes, one for each new state, and when more is due. */
const compile = async () => {
  const nodes: number[] = [];
  const compiler = createCompiler(api.database.pools, logger, (node) => nodes.push(node));
  let next = await compiler.run();
  while (next === 0) next = await compiler.run();
  return { nodes, next };
};

beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
  const ids = { groupid: 1, cpeId: 0, popId: 0 };
  for (let at = 1; at <= count; at += 1) {
    const own = { alias: `site-${at}`, sn: `SN-${at}`, groupid: 1 };
    sites.push(await post(cpe.ops.add.path, wireDraft("cpe", "valid", ids, own)));
  }
  const all = { ...ids, cpeId: sites[0] ?? 0, popId: 1 };
  const space = { name: "net", groupid: 1, topology: 0, popIds: "", cpeIds: sites.join(",") };
  await post(netSpace.ops.add.path, wireDraft("netSpace", "valid", all, space));
  await take({ msPerNode: 0, maxMs: 0 });
  await compile();
}, 60_000);
afterAll(() => api.close());

const joins = async (site: number, third: number): Promise<void> => {
  await post(lanSection.ops.add.path, {
    nCpeID: site,
    interfaceName: `lan${third}`,
    network: `10.60.${third}.1/24`,
    network6: "",
    vlan: "",
    enableForward: 1,
    enableDirect: 1,
    remark: "",
  });
};

test("each site is compiled immediately, and the others once for all of them", async () => {
  const states: number[] = [];
  for (const [at, site] of sites.entries()) {
    await joins(site, at + 1);
    await take(longPace);
    states.push(...(await compile()).nodes);
  }
  expect(states).toEqual(sites);
  const { db } = api.database.pools.worker;
  await db.updateTable("compile_mark").set({ at: sql`now()` }).execute();
  const { nodes, next } = await compile();
  // Who joined last has seen all of them. (Compiled one by one it would be 100 states.)
  expect(nodes.toSorted((a, b) => a - b)).toEqual(sites.slice(0, -1));
  expect(next).toBeUndefined();
}, 60_000);

test("a mark that waits is due at the time of its first change, or immediately when named", async () => {
  const [one, two] = sites as [number, number, ...number[]];
  await joins(one, 101);
  await take(longPace);
  expect((await compile()).nodes).toEqual([one]);
  await joins(two, 102);
  await take(longPace);
  const { nodes, next } = await compile();
  expect(nodes).toEqual([two]);
  expect(next).toBeGreaterThan(100_000);
  expect(next).toBeLessThan(600_000);
});

test("a mark that becomes due while marks are read is not overlooked", async () => {
  const [site] = sites as [number, ...number[]];
  const { db } = api.database.pools.worker;
  const compiler = createCompiler(api.database.pools, logger, () => undefined);
  await db.deleteFrom("compile_mark").execute();
  for (let round = 0; round < 30; round += 1) {
    await sql`insert into compile_mark (node_id, enterprise_id, cause, created_by, causes, at)
      select node_id, enterprise_id, '', 0, '[]', now() + interval '3 ms' from weft.nodes_of(array[${site}]::bigint[])`.execute(
      db,
    );
    let next: number | undefined = 1;
    while (next !== undefined) next = await compiler.run();
    expect(await db.selectFrom("compile_mark").select("node_id").execute()).toEqual([]);
  }
});

test("a node that is edited again and again is compiled once in its rest, and has the last of it then", async () => {
  const [site, other] = sites as [number, number, ...number[]];
  const { db } = api.database.pools.worker;
  const immediately: Pace = { msPerNode: 0, maxMs: 0 };
  // Marks of the tests before wait longer than this one takes.
  await take(immediately);
  await db.updateTable("compile_mark").set({ at: sql`now()` }).execute();
  await compile();
  // Not announced: the other sites have nothing of it.
  const draft = {
    ...wireDraft("staticroute", "valid", { groupid: 1, cpeId: site, popId: 1 }),
    nCpeID: site,
    announce: 0,
  };
  const route = await post(staticRoute.ops.add.path, draft);
  const edit = (metric: number) =>
    api.post(staticRoute.ops.edit.path, { ...draft, nID: route, metric }, admin);
  const restMs = 600_000;
  const made: number[] = [];
  const compiler = createCompiler(
    api.database.pools,
    logger,
    (node) => made.push(node),
    undefined,
    undefined,
    restMs,
  );
  const run = async (): Promise<number | undefined> => {
    let next = await compiler.run();
    while (next === 0) next = await compiler.run();
    return next;
  };
  for (const metric of [11, 12, 13]) {
    expect(await edit(metric)).toMatchObject({ code: 0 });
    await take(immediately);
    await run();
  }
  expect(made).toEqual([site]);
  // Others do not wait for it.
  await joins(other, 103);
  await take(longPace);
  expect(await run()).toBeGreaterThan(0);
  expect(made).toEqual([site, other]);
  const left = await db.selectFrom("compile_mark").select("node_id").execute();
  expect(left.map(({ node_id }) => node_id)).toContain(site);
  // Another process, which knows of no rest, compiles what is left of it.
  const { nodes } = await compile();
  expect(nodes.filter((node) => node === site)).toEqual([site]);
  const { rows } = await sql<{ metric: number }>`
    select (s.content -> 'routes' -> 0 ->> 'metric')::int as metric
    from weft.node_state n
    join weft.state_section s on s.node_id = n.node_id and s.hash = n.sections ->> 'static'
    where n.node_id = ${site} order by n.serial desc limit 1`.execute(api.database.pools.owner.db);
  expect(rows).toEqual([{ metric: 13 }]);
}, 60_000);
