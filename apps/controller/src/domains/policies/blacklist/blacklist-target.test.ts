/** Which CPEs an entry is in force at, as the view of the database answers those who may see it. */
import { blacklist } from "@weft/contract/domains/policies/blacklist.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../../../test/tenants.ts";

let api: TestApi;
let admin: string;
let [mine, theirs]: Tenant[] = [];

beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
  mine = await makeTenant(api, admin, "target-mine");
  theirs = await makeTenant(api, admin, "target-theirs");
}, 120_000);
afterAll(() => api.close());

const tenantOf = (tenant: Tenant | undefined): Tenant => {
  if (!tenant) throw new Error("there are two tenants");
  return tenant;
};
const entryOf = async ({ ids }: Tenant, value: string, cpeIds: string) =>
  newIdOf(
    await api.post(
      blacklist.ops.add.path,
      wireDraft("blacklist", "valid", ids, { type: "ip", value, cpeIds }),
      admin,
    ),
  );
const cpeOf = async ({ ids }: Tenant, name: string) =>
  newIdOf(
    await api.post(
      "/customer/cpe/insertNew",
      wireDraft("cpe", "valid", ids, { sn: name, alias: name }),
      admin,
    ),
  );

const targets = (enterpriseId: number, entryId: number) =>
  inScope(
    api.database.pools.api,
    { kind: "enterprises", ids: [enterpriseId], userId: null, ownOnly: false },
    async (trx) => {
      const { rows } = await sql<{ node_id: number }>`
        select node_id from blacklist_target where entry_id = ${entryId} order by node_id`.execute(
        trx,
      );
      return rows.map(({ node_id }) => node_id);
    },
  );

test("an entry reaches the CPEs that it names, or all CPEs of its enterprise and no POP", async () => {
  const tenant = tenantOf(mine);
  const { groupid, cpeId } = tenant.ids;
  const other = await cpeOf(tenant, "target-other");
  const named = await entryOf(tenant, "203.0.113.20", `${other}`);
  const whole = await entryOf(tenant, "203.0.113.21", "");
  expect(await targets(groupid, named)).toEqual([other]);
  expect(await targets(groupid, whole)).toEqual([cpeId, other].sort((a, b) => a - b));
});

test("who does not see an entry learns nothing of its reach", async () => {
  const [tenant, foreign] = [tenantOf(mine), tenantOf(theirs)];
  const { groupid, cpeId } = tenant.ids;
  const named = await entryOf(tenant, "203.0.113.22", `${cpeId}`);
  const whole = await entryOf(tenant, "203.0.113.23", "");
  expect(await targets(groupid, named)).toEqual([cpeId]);
  expect(await targets(foreign.ids.groupid, named)).toEqual([]);
  expect(await targets(foreign.ids.groupid, whole)).toEqual([]);
});
