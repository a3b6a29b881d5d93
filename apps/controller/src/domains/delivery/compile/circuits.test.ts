/** Circuits from the calls that save them to the states of both ends and to what their list says. */
import { circuitsCapability, shapingCapability } from "@weft/contract/device/v1/shaping.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import { circuit } from "@weft/contract/domains/overlay/circuit.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { sql, type Transaction } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../../../test/tenants.ts";
import { compile, readView } from "./public.ts";

let api: TestApi;
let home: Tenant;
let site: number;
let center: number;
let circuitId: number;
let linkId: number;

type Drafted = Parameters<typeof wireDraft>[0];
const draft = (name: Drafted, replaced: object) => wireDraft(name, "valid", home.ids, replaced);
const add = async (name: Drafted, path: string, replaced: object) =>
  newIdOf(await api.post(path, draft(name, replaced), home.token));
const terms = { bandwidth: 8_000, guaranteed: 2_000, expireTime: "2099-12-31 00:00:00" };
const edit = async (replaced: object): Promise<void> => {
  const ends = { sourceId: site, targetId: center, ...terms, ...replaced };
  const asked = { id: circuitId, ...draft("xwanCircuit", ends) };
  expect(await api.post(circuit.ops.edit.path, asked, home.token)).toMatchObject({ code: 0 });
};
const owner = <Value>(work: (trx: Transaction<Database>) => Promise<Value>) =>
  inScope(api.database.pools.owner, { kind: "all" }, work);
const worker = { kind: "enterprises", ids: [], userId: null, ownOnly: false } as const;
const circuitsAt = (id: number) =>
  inScope(api.database.pools.worker, worker, async (trx) => {
    const view = await readView(trx, id);
    if (!view) throw new Error(`no node ${id}`);
    return compile(view).shaping?.circuits ?? [];
  });

beforeAll(async () => {
  api = await testApi();
  home = await makeTenant(api, await api.logIn("admin"), "home");
  site = await add("cpe", cpe.ops.add.path, { alias: "site", sn: "sn-site" });
  center = await add("pop", pop.ops.add.path, { name: "center", sn: "sn-center" });
  for (const nodeId of [site, center]) {
    const ip = `198.51.100.${nodeId + 10}/24`;
    await add("line", "/customer/line/add", { nodeId, ip, upBandwidth: "", downBandwidth: "" });
  }
  await add("lansection", lanSection.ops.add.path, { nCpeID: site, network6: "", vlan: "" });
  const members = { popIds: String(center), cpeIds: String(site) };
  const space = await add("netSpace", netSpace.ops.add.path, members);
  circuitId = await add("xwanCircuit", circuit.ops.add.path, {
    sourceId: site,
    targetId: center,
    ...terms,
  });
  const can = [circuitsCapability, shapingCapability].map((name) => ({
    name,
    can: true,
    reason: null,
  }));
  await owner(async (trx) => {
    const { rows } = await sql<{ id: number }>`
      insert into weft.link (enterprise_id, space_id, index_in_space, a_node_id, a_slot, a_port, a_key,
        b_node_id, b_slot, b_port, b_key)
      values (${home.ids.groupid}, ${space}, 1, ${site}, 1, 51820, 'a', ${center}, 1, 51820, 'b')
      returning id`.execute(trx);
    linkId = rows[0]?.id ?? 0;
    await sql`insert into weft.node_status (node_id, enterprise_id, capabilities)
      select id, enterprise_id, ${JSON.stringify(can)}::jsonb from weft.node where id in (${site}, ${center})
      on conflict (node_id) do update set capabilities = excluded.capabilities`.execute(trx);
  });
}, 120_000);
afterAll(() => api.close());

const until = Date.parse("2099-12-31T00:00:00Z");

test("both ends shape what they send, the POP by the networks of the site", async () => {
  const same = { id: circuitId, most: 8_000, guaranteed: 2_000 };
  const [atSite, atPop] = [await circuitsAt(site), await circuitsAt(center)];
  expect(atSite).toMatchObject([{ ...same, links: [linkId], networks: null }]);
  expect(atPop).toMatchObject([{ ...same, links: [linkId] }]);
  expect(atPop[0]?.networks).toHaveLength(1);
  expect([atSite[0]?.until, atPop[0]?.until]).toEqual([until, until]);
});

test("what has expired is sent with its end, and what is off is not", async () => {
  await edit({ expireTime: "2020-01-01 00:00:00" });
  expect((await circuitsAt(site))[0]?.until).toBeLessThan(Date.now());
  await edit({ enable: 0 });
  expect(await circuitsAt(site)).toEqual([]);
  expect(await circuitsAt(center)).toEqual([]);
  await edit({ expireTime: "" });
  expect(await circuitsAt(site)).toMatchObject([{ until: null }]);
});

test("an end before 1970 is refused, and one that was saved before that rule keeps nothing from being compiled", async () => {
  const ends = { sourceId: site, targetId: center, ...terms, expireTime: "1969-12-31 23:59:59" };
  const asked = { id: circuitId, ...draft("xwanCircuit", ends) };
  const answer = await api.post(circuit.ops.edit.path, asked, home.token);
  expect(answer).toMatchObject({ issues: [{ path: "expireTime", rule: "tooEarly" }] });
  await owner((trx) =>
    sql`update weft.circuit set expire_at = '1969-12-31 23:59:59+00' where id = ${circuitId}`.execute(
      trx,
    ),
  );
  expect(await circuitsAt(site)).toMatchObject([{ id: circuitId, until: 0 }]);
  await edit({ expireTime: "" });
});

test("an edit and a removal mark both ends", async () => {
  const lastChange = () =>
    owner(async (trx) => {
      const { rows } = await sql<{ node_ids: number[] }>`
        select node_ids from weft.change order by seq desc limit 1`.execute(trx);
      return rows[0]?.node_ids.toSorted((a, b) => a - b);
    });
  const both = [site, center].toSorted((a, b) => a - b);
  await edit({ bandwidth: 9_000 });
  expect(await lastChange()).toEqual(both);
  const gone = await api.post(circuit.ops.remove.path, { ids: String(circuitId) }, home.token);
  expect(gone).toMatchObject({ code: 0 });
  expect(await lastChange()).toEqual(both);
  expect(await circuitsAt(center)).toEqual([]);
});
