/** What every save makes PostgreSQL do beside its rows, as counts. */
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import { routeNotice } from "@weft/contract/domains/overlay/route-notice.ts";
import { sql } from "kysely";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withClient } from "#db/embedded/login.ts";
import { type People, people } from "./people.ts";
import { newIdOf, wireDraft } from "./tenants.ts";

let all: People;
let cpeId = 0;
const ids = () => ({ groupid: all.agent, cpeId, popId: 1 });
beforeAll(async () => {
  all = await people();
  const device = wireDraft("cpe", "valid", ids(), { sn: "COST-1", alias: "cost" });
  cpeId = newIdOf(await all.api.post("/customer/cpe/insertNew", device, all.admin));
  // Next hops of the routes below are in it: for others it is looked up what leads to them.
  const lan = wireDraft("lansection", "valid", ids(), { network: "10.1.1.1/24", network6: "" });
  newIdOf(await all.api.post(lanSection.ops.add.path, lan, all.admin));
});
afterAll(() => all.api.close());

test("no expression that PostgreSQL plans for each insert calls a function that it would parse for that", async () => {
  const { rows } = await sql<{ found: string }>`
    select d.refobjid::regprocedure || ' in ' || coalesce(a.adrelid, c.conrelid)::regclass as found
    from pg_depend d
    join pg_proc p on d.refclassid = 'pg_proc'::regclass and p.oid = d.refobjid
    join pg_language l on l.oid = p.prolang and l.lanname in ('sql', 'plpgsql')
    left join pg_attrdef a on d.classid = 'pg_attrdef'::regclass and a.oid = d.objid
    left join pg_attribute t on t.attrelid = a.adrelid and t.attnum = a.adnum
    left join pg_constraint c on d.classid = 'pg_constraint'::regclass and c.oid = d.objid and c.contype = 'c'
    where t.attgenerated <> '' or c.oid is not null`.execute(all.api.database.pools.owner.db);
  expect(rows).toEqual([]);
});

test("the database says what a row of the operation log is about, whatever its writer gives for it", async () => {
  const found = await withClient(all.api.database.url, async (client) => {
    const write = async (action: string, resource: string, value: object) =>
      (
        await client.query(
          `insert into weft.audit (enterprise_id, user_id, login_name, action, resource, row_id, new_value, address,
             request_id, verb, node_id, template_id)
           values (1, 1, 'admin', $1, $2, 7, $3, '', '', 'forged', 98, 99)
           returning verb, node_id::int, template_id::int`,
          [action, resource, value],
        )
      ).rows[0];
    return [
      await write("staticRoute.edit", "staticroute", { nCpeID: 5 }),
      await write("cpe.remove", "cpe", {}),
      await write("router.rule.add", "rule", { templateId: 6 }),
    ];
  });
  expect(found).toEqual([
    { verb: "edit", node_id: 5, template_id: null },
    { verb: "remove", node_id: 7, template_id: null },
    { verb: "add", node_id: null, template_id: 6 },
  ]);
});

type Query = (...given: unknown[]) => unknown;

/** How often a call waits for an answer of the database: what is sent while another answer is waited for is one wait with that. */
async function roundTripsOf(call: () => Promise<unknown>): Promise<number> {
  const { pg: pool } = all.api.database.pools.apiAll;
  let trips = 0;
  const watched = new Map<pg.PoolClient, Query>();
  const watch = (client: pg.PoolClient) => {
    if (watched.has(client)) return;
    const plain = client.query as Query;
    watched.set(client, plain);
    let waits = 0;
    const counted: Query = (...given) => {
      // Of a notification behind the call.
      if (typeof given.at(-1) === "function") return plain.apply(client, given);
      if (waits === 0) trips += 1;
      waits += 1;
      const answer = plain.apply(client, given) as Promise<unknown>;
      const answered = () => {
        waits -= 1;
      };
      answer.then(answered, answered);
      return answer;
    };
    Object.assign(client, { query: counted });
  };
  pool.on("acquire", watch);
  try {
    expect(await call()).toMatchObject({ code: 0 });
  } finally {
    pool.off("acquire", watch);
    for (const [client, query] of watched) Object.assign(client, { query });
  }
  return trips;
}

test.each([
  {
    resource: staticRoute,
    name: "staticroute" as const,
    own: () => ({ nCpeID: cpeId, destination: "10.3.0.0/16", nextHop: "10.1.1.2", nEnable: 1 }),
    change: { metric: 9 },
    // BEGIN with what its rules read, the owner and the row; the row; COMMIT with its audit row and change row.
    trips: 3,
  },
  {
    resource: routeNotice,
    name: "routeNotice" as const,
    own: () => ({ cpeId, network: "10.6.0.0/16", enable: 1 }),
    change: { remark: "known" },
    trips: 3,
  },
  {
    resource: line,
    name: "line" as const,
    own: () => ({ nodeId: cpeId }),
    change: { remark: "copper" },
    trips: 3,
  },
  {
    resource: lanSection,
    name: "lansection" as const,
    own: () => ({ nCpeID: cpeId, network: "10.9.0.1/24", network6: "", vlan: 0 }),
    change: { remark: "first floor" },
    // And the other networks of the device.
    trips: 4,
  },
])(
  "an edit of a $name waits $trips times for the database",
  async ({ resource, name, own, change, trips }) => {
    const { api, admin } = all;
    const draft = wireDraft(name, "valid", ids(), own());
    const id = newIdOf(await api.post(resource.ops.add.path, draft, admin));
    const edit = (fields: object) =>
      api.post(resource.ops.edit.path, { ...draft, ...fields, [resource.id]: id }, admin);
    // The first call of a session reads its access.
    expect(await edit({})).toMatchObject({ code: 0 });
    expect(await roundTripsOf(() => edit(change))).toBe(trips);
  },
);

/** A static route of the device, as an edit of it has it. */
const addRoute = async (destination: string) => {
  const fields = { nCpeID: cpeId, destination, nextHop: "10.1.1.2" };
  const draft = wireDraft("staticroute", "valid", ids(), fields);
  const nID = newIdOf(await all.api.post(staticRoute.ops.add.path, draft, all.admin));
  return { ...draft, nID };
};

test("of an edit that fails and is refused the refusal of its rules is answered, and nothing is written", async () => {
  const { api, admin } = all;
  const route = await addRoute("10.30.0.0/16");
  const edit = (fields: object) =>
    api.post(staticRoute.ops.edit.path, { ...route, ...fields }, admin);
  // The device's own address as next hop, and an owner that is not there.
  expect(await edit({ nextHop: "10.9.0.1" })).toMatchObject({ issues: [{ rule: "ownNextHop" }] });
  for (const absent of [{ nCpeID: 999_999 }, { nID: 999_999, nCpeID: 999_999 }])
    expect(await edit(absent)).toMatchObject({ issues: [{ path: "nCpeID" }] });
  expect(await edit({ nID: 999_999, nextHop: "10.9.0.1" })).toMatchObject({
    issues: [{ rule: "ownNextHop" }],
  });
  const { rows } = await sql<object>`
    select next_hop, node_id from static_route where id = ${route.nID}`.execute(
    api.database.pools.apiAll.db,
  );
  expect(rows).toEqual([{ next_hop: "10.1.1.2", node_id: cpeId }]);
});

test("a row that another transaction holds too long is answered as that, whatever its rules still read", async () => {
  const { api, admin } = all;
  const route = await addRoute("10.40.0.0/16");
  await withClient(api.database.url, async (client) => {
    await client.query("begin");
    await client.query("select from weft.static_route where id = $1 for update", [route.nID]);
    // Another network: what other sites have is read behind the statement that locks the row.
    const edit = { ...route, destination: "10.41.0.0/16" };
    const answer = await api.post(staticRoute.ops.edit.path, edit, admin);
    expect(answer).toMatchObject({ code: 503 });
    expect(answer.bug).toBeUndefined();
    await client.query("rollback");
  });
});
