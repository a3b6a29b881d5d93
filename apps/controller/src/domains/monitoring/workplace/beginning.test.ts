import { allResources } from "@weft/contract/all-endpoints.ts";
import type { beginning } from "@weft/contract/domains/monitoring/beginning.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";

let api: TestApi;
let admin: string;
beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
}, 60_000);
afterAll(() => api.close());

const run = (query: RawBuilder<unknown>) => query.execute(api.database.pools.owner.db);
const add = async (
  name: "enterprise" | "cpe" | "pop" | "lansection" | "line" | "netSpace",
  groupid: number,
  fields: object,
) => {
  const ids = { groupid, cpeId: 1, popId: 1 };
  return newIdOf(
    await api.post(allResources[name].ops.add.path, wireDraft(name, "valid", ids, fields), admin),
  );
};
const seen = (node: number, of: number) =>
  run(sql`insert into weft.node_status (node_id, enterprise_id, online) values (${node}, ${of}, true)
    on conflict (node_id) do update set online = true`);

test("the way to a first living site is known from what happened, to its own enterprise alone", async () => {
  const of = await add("enterprise", 1, { name: "begins" });
  const beside = await add("enterprise", 1, { name: "begins-beside" });
  const [token, stranger] = [
    await api.userToken({ enterpriseId: of, dataScope: 3 }),
    await api.userToken({ enterpriseId: beside, dataScope: 3 }),
  ];
  const read = async (as = token) =>
    (await api.get("/customer/dashboard/beginning", {}, as)).data as OutputOf<typeof beginning>;
  const nothing = { done: [], waiting: 0, pop: null, site: null };
  expect(await read()).toEqual(nothing);

  const pop = await add("pop", of, { name: "first-pop", sn: "sn-first-pop" });
  expect(await read()).toEqual({ ...nothing, done: ["pop"], pop: { id: pop, name: "first-pop" } });
  await seen(pop, of);
  const site = await add("cpe", of, { alias: "first-site", sn: "sn-first-site" });
  expect((await read()).done).toEqual(["pop", "popOnline", "site"]);
  await run(sql`insert into weft.node_identity (enterprise_id, node_id, public_key, sn, address, state)
    values (${of}, ${site}, 'key of a first site', 'sn-first-site', '192.0.2.1', 'pending')`);
  expect(await read()).toMatchObject({ waiting: 1, site: { id: site, name: "first-site" } });
  await add("line", of, { nodeId: site, slot: 1, interfaceName: "wan1" });
  await add("lansection", of, { nCpeID: site });
  await seen(site, of);
  const space = await add("netSpace", of, { name: "s", popIds: [pop], cpeIds: [site] });
  expect((await read()).done).toEqual([
    "pop",
    "popOnline",
    "site",
    "siteNetwork",
    "siteOnline",
    "space",
  ]);
  // A second site, behind the first: the one that is furthest is named.
  await add("cpe", of, { alias: "another", sn: "sn-another" });

  await run(sql`with made as (insert into weft.link (enterprise_id, space_id, index_in_space, a_node_id,
      a_slot, a_port, a_key, b_node_id, b_slot, b_port, b_key)
    values (${of}, ${space}, 900, ${site}, 1, 49001, 'x', ${pop}, 1, 49002, 'y') returning id)
    insert into weft.link_status (link_id, enterprise_id, up) select id, ${of}, false from made`);
  expect((await read()).done).not.toContain("packet");
  await run(sql`update weft.link_status set up = true where enterprise_id = ${of}`);
  await run(sql`update weft.link_status set up = false where enterprise_id = ${of}`);
  expect(await read()).toMatchObject({ site: { id: site } });
  expect((await read()).done).toContain("packet");

  expect(await read(stranger)).toEqual(nothing);
  expect((await read(admin)).done).toContain("enterprise");
});
