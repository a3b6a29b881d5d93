/** What is read for many nodes at a time is what is read for each alone, by as many statements as for one. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scopedSnapshot } from "#db/pool.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { type MixedFleet, mixedFleet } from "../../../../test/mixed-fleet.ts";
import { compile, type ReadView, readView, readViews } from "./public.ts";

let api: TestApi;
let fleet: MixedFleet;
beforeAll(async () => {
  api = await testApi();
  fleet = await mixedFleet(api, await api.logIn("admin"), 1);
  await fleet.mark(fleet.all);
}, 120_000);
afterAll(() => api.close());

const scope = { kind: "enterprises", ids: [], userId: null, ownOnly: false } as const;
const viewsOf = (nodes: readonly number[]) =>
  scopedSnapshot(api.database.pools.worker, scope, (trx) => readViews(trx, nodes));
/** Rows in one order: that of the database says nothing. */
const sorted = (value: unknown): unknown => {
  if (value instanceof Map) return [...value].map(sorted).sort(byText);
  if (Array.isArray(value)) return value.map(sorted).sort(byText);
  if (value === null || typeof value !== "object" || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, sorted(one)]));
};
const byText = (one: unknown, other: unknown): number =>
  JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
const readable = (view: ReadView | Error | null | undefined): ReadView => {
  if (!view || view instanceof Error) throw view ?? new Error("no view");
  return view;
};

test("of all nodes at a time is what each alone is read as, and compiles to the same state", async () => {
  const together = await viewsOf(fleet.all);
  expect([...together.keys()]).toEqual(fleet.all);
  const seen = {
    links: 0,
    templates: 0,
    groups: 0,
    circuits: 0,
    services: 0,
    standby: 0,
    blocked: 0,
  };
  for (const node of fleet.all) {
    const alone = readable(
      await scopedSnapshot(api.database.pools.worker, scope, (trx) => readView(trx, node)),
    );
    const view = readable(together.get(node));
    expect(sorted(view)).toEqual(sorted(alone));
    expect(compile(view)).toEqual(compile(alone));
    seen.links += view.links.length;
    seen.templates += view.template ? 1 : 0;
    seen.groups += view.groups ? 1 : 0;
    seen.circuits += view.circuits?.length ?? 0;
    seen.services += view.services?.length ?? 0;
    seen.standby += view.standby ? 1 : 0;
    seen.blocked += view.site?.blocked.length ?? 0;
  }
  // The fleet has all of it.
  expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([]);
});

test("takes the statements of one node for any number of them", async () => {
  const counted = async (nodes: readonly number[]): Promise<number> => {
    let statements = 0;
    const stop = api.database.pools.onQuery(({ role, kind }) => {
      if (role === "worker" && kind === "query") statements += 1;
    });
    await viewsOf(nodes);
    stop();
    return statements;
  };
  const [plain = 0] = fleet.sites.slice(-1);
  const one = await counted([plain]);
  expect(one).toBeLessThanOrEqual(22);
  // Four more where there is a group, a circuit, or a space to read of.
  expect(await counted(fleet.all)).toBeLessThanOrEqual(one + 6);
});

test("omits a missing node and marks the peers of a single node as unreadable", async () => {
  const hub = fleet.pops[0] ?? 0;
  const [linked] = await fleet.run(sql<{ id: number }>`
    select a_node_id as id from weft.link where b_node_id = ${hub} order by id limit 1`);
  const hidden = linked?.id ?? 0;
  expect(await viewsOf([987_654])).toEqual(new Map());
  const { pools } = api.database;
  await pools.owner.pg.query(`create policy hidden on weft.node as restrictive
    for select to ${pools.worker.name} using (id <> ${hidden})`);
  try {
    await expect(viewsOf([hub])).rejects.toThrow("not readable");
  } finally {
    await pools.owner.pg.query("drop policy hidden on weft.node");
  }
});

test("shows at the other end of a link the WAN links of interface lines: those of the node before those of its template", async () => {
  const hub = fleet.pops[0] ?? 0;
  const given = async () => {
    const { peers } = readable((await viewsOf([hub])).get(hub));
    return new Map(
      [...peers].map(([id, { lines }]) => [id, lines.map((line) => line.givenQuality)]),
    );
  };
  expect([...(await given()).values()].flat().filter((one) => one !== 0)).toEqual([]);
  const followed = await fleet.run(sql<{ node: number }>`
    select distinct t.node_id as node from weft.router_template_node t
    join weft.link l on t.node_id in (l.a_node_id, l.b_node_id) and ${hub} in (l.a_node_id, l.b_node_id)
    order by 1`);
  const [own = 0, other = 0] = followed.map(({ node }) => node);
  await fleet.run(sql`insert into weft.router_interface_line
      (enterprise_id, node_id, name, kind, accessposition, access_type, line_quality)
    select enterprise_id, id, 'own', 'wan', 1, 0, 1 from weft.node where id = ${own}`);
  const lines = [
    { kind: "wan", accessposition: 1, line_quality: 2 },
    { kind: "lan", accessposition: null, line_quality: 1 },
  ];
  await fleet.run(sql`update weft.router_template_version
    set content = content || ${JSON.stringify({ router_interface_line: lines })}::jsonb`);
  const found = await given();
  expect([found.get(own)?.[0], found.get(other)?.[0]]).toEqual([1, 2]);
  // One of its own has the last word, also when it asks for nothing.
  await fleet.run(
    sql`update weft.router_interface_line set line_quality = 0 where node_id = ${own}`,
  );
  expect((await given()).get(own)?.[0]).toBe(0);
});
