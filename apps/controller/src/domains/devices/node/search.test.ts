/** The one search over a list of CPEs: alias, serial number, address, hardware address. */
import { allResources } from "@weft/contract/all-endpoints.ts";
import type { Permission } from "@weft/contract/permissions.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { distinctDraft, makeTenant, newIdOf, type Tenant } from "../../../../test/tenants.ts";

let api: TestApi;
let [home, other] = [] as unknown as [Tenant, Tenant];
let shop = 0;
beforeAll(async () => {
  api = await testApi();
  const admin = await api.logIn("admin");
  home = await makeTenant(api, admin, "home");
  other = await makeTenant(api, admin, "other");
  const add = async (name: "cpe" | "line" | "lansection", replaced: object) => {
    const draft = distinctDraft(name, home.ids, { name: "x", latin: "shop", number: 41 });
    const { path } = allResources[name].ops.add;
    return newIdOf(await api.post(path, { ...draft, ...replaced }, home.token));
  };
  shop = await add("cpe", { alias: "门店-01", sn: "8F3A-SHOP" });
  await add("line", {
    nodeId: shop,
    addressing: "static",
    ip: "198.51.100.141/24",
    gateway: "198.51.100.1",
  });
  await add("lansection", { nCpeID: shop, network: "10.141.1.1/24", network6: "", ownAddress: "" });
  const leases = [{ address: "10.141.1.20", mac: "02:00:5e:10:00:41", name: "till", end: null }];
  await sql`insert into weft.node_status (node_id, enterprise_id, leases)
    values (${shop}, ${home.ids.groupid}, ${JSON.stringify(leases)}::jsonb)
    on conflict (node_id) do update set leases = excluded.leases`.execute(
    api.database.pools.owner.db,
  );
}, 120_000);
afterAll(() => api.close());

const found = async (alias: string, token = home.token): Promise<number[]> => {
  const answer = await api.get(allResources.cpe.ops.list.path, { alias, limit: 50 }, token);
  return (answer.data as { id: number }[]).map(({ id }) => id);
};

test.each([
  ["门店-01", "its alias"],
  ["门店 01", "two words of it"],
  [" 门店-０１ ", "full-width digits, and blanks around them"],
  ["8f3a-shop", "its serial number"],
  ["８F3A-SHOP", "that in full-width characters"],
  ["198.51.100.141", "the address of a line"],
  ["198.51.100.14", "a part of it"],
  ["10.141.1.77", "an address in its LAN"],
  ["10.141.1.20", "the address of a host"],
  ["02-00-5E-10-00-41", "the hardware address of a host"],
  ["0200.5e10.0041", "that as other devices write it"],
])("%s finds the CPE by %s", async (text) => {
  expect(await found(text)).toContain(shop);
  expect(await found(text, other.token)).toEqual([]);
});

test.each(["门店-02", "198.51.100.142", "10.142.1.1", "%", "_", "02:00:5e:10:00:42"])(
  "%j finds nothing of it, and never more than was asked for",
  async (text) => {
    expect(await found(text)).not.toContain(shop);
  },
);

test("who may not read its leases and LANs does not find it by them", async () => {
  const menus = ["/sdwan-system/cpe"] as const;
  const few = { enterpriseId: home.ids.groupid, dataScope: 1, roleType: 2, menus } as const;
  const foundBy = async (permissions: readonly Permission[], text: string) =>
    found(text, await api.userToken({ ...few, permissions }));
  for (const text of ["10.141.1.20", "02-00-5E-10-00-41"]) {
    expect(await foundBy([], text)).toEqual([]);
    expect(await foundBy(["configLan"], text)).toContain(shop);
  }
  expect(await foundBy([], "10.141.1.77")).toEqual([]);
  expect(await foundBy(["configLansectionList"], "10.141.1.77")).toContain(shop);
  expect(await foundBy([], "198.51.100.141")).toContain(shop);
});
