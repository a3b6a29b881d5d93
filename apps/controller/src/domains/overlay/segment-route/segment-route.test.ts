/** Segment routes over the real stores: whose states they are part of, and what their list says of them. */
import { resources as devices } from "@weft/contract/domains/devices/domain.ts";
import { resources as overlay } from "@weft/contract/domains/overlay/domain.ts";
import { sql, type Transaction } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { compile, readView } from "#domains/delivery/compile/public.ts";
import { reconcileLinks } from "#domains/delivery/links/public.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../../../test/tenants.ts";

let api: TestApi;
let home: Tenant;
let routeId: number;
let spaceId: number;
const ids: Record<string, number> = {};
const { segmentRoute } = overlay;

const add = async (name: Parameters<typeof wireDraft>[0], path: string, replaced: object) =>
  newIdOf(await api.post(path, wireDraft(name, "valid", home.ids, replaced), home.token));

const asOwner = (run: (trx: Transaction<Database>) => Promise<void>): Promise<void> =>
  inScope(api.database.pools.owner, { kind: "all" }, run);

const draft = (change: object = {}) => ({
  name: "over-both",
  destination: "10.90.2.0/24",
  cpeId: ids.a,
  enable: 1,
  popIds: `${ids.p1},${ids.p2}`,
  ...change,
});

interface Row {
  readonly id: number;
  readonly state: string;
  readonly reason: string | null;
  readonly params: Readonly<Record<string, string>>;
  readonly sites: number;
  readonly sitesActing: number;
}

const shown = async (): Promise<string> => {
  const answer = await api.get(segmentRoute.ops.list.path, {}, home.token);
  const row = (answer.data as Row[]).find(({ id }) => id === routeId);
  if (!row) throw new Error("it is not listed");
  const { state, reason, params, sites, sitesActing } = row;
  return [state, reason ?? "-", ...Object.values(params), `${sitesActing}/${sites}`].join(" ");
};

/** Nodes that the changes since the last call name. */
const named = async (): Promise<number[]> => {
  let nodes: number[] = [];
  await asOwner(async (trx) => {
    const { rows } = await sql<{ id: number }>`
      select distinct unnest(node_ids) as id from weft.change where not done`.execute(trx);
    await sql`update weft.change set done = true`.execute(trx);
    nodes = rows.map(({ id }) => id).sort((a, b) => a - b);
  });
  return nodes;
};

async function addNodes(): Promise<void> {
  for (const [at, name] of ["p1", "p2"].entries()) {
    const pop = await add("pop", devices.pop.ops.add.path, { name, sn: `sn-${name}` });
    const line = { nodeId: pop, slot: 1, isp: "", interfaceName: "wan1" };
    const ip = { ip: `198.51.100.${at + 1}/24`, gateway: "198.51.100.9" };
    await add("line", devices.line.ops.add.path, { ...line, ...ip });
    ids[name] = pop;
  }
  for (const [at, alias] of ["a", "b"].entries()) {
    const node = await add("cpe", devices.cpe.ops.add.path, { alias, sn: `sn-${alias}` });
    const line = { nodeId: node, slot: 1, ip: `203.0.113.${at + 1}/24`, gateway: "203.0.113.9" };
    await add("line", devices.line.ops.add.path, line);
    const network = `10.90.${at + 1}.1/24`;
    await add("lansection", devices.lansection.ops.add.path, {
      nCpeID: node,
      network,
      network6: "",
      vlan: "",
      enableForward: 1,
    });
    ids[alias] = node;
  }
}

beforeAll(async () => {
  api = await testApi();
  home = await makeTenant(api, await api.logIn("admin"), "home");
  await addNodes();
  spaceId = await add("netSpace", overlay.netSpace.ops.add.path, {
    topology: 0,
    popIds: `${ids.p1},${ids.p2}`,
    cpeIds: `${ids.a},${ids.b}`,
  });
  await named();
  routeId = await add("segmentRoute", segmentRoute.ops.add.path, draft());
}, 120_000);
afterAll(() => api.close());

/** Devices with keys and capabilities, and the links that follow. */
const enroll = (capabilities: readonly object[]) =>
  asOwner(async (trx) => {
    for (const node of Object.values(ids)) {
      const key = Buffer.from(`k${node}`.padEnd(32, ".")).toString("base64");
      const list = JSON.stringify(capabilities);
      await sql`insert into weft.node_status (node_id, enterprise_id, tunnel_key, online, capabilities)
        select id, enterprise_id, ${key}, true, ${list}::jsonb from weft.node where id = ${node}
        on conflict (node_id) do update set capabilities = excluded.capabilities`.execute(trx);
    }
    await sql`delete from weft.compile_mark`.execute(trx);
    await reconcileLinks(trx, spaceId);
  });
const able = [{ name: "segments", can: true, reason: null }];

/** The state that each device confirms, and what it found of the route there. */
const confirm = (findings: Readonly<Record<string, string>> = {}) =>
  asOwner(async (trx) => {
    for (const [name, node] of Object.entries(ids)) {
      const view = await readView(trx, node);
      const section = view && compile(view).segments?.[0];
      const hash = `${node}`.padStart(64, "0");
      const found = findings[name]
        ? [
            {
              section: `segment.${spaceId}`,
              kind: "segment",
              object: "10.90.2.0/24",
              reason: findings[name],
              params: { id: `${routeId}` },
            },
          ]
        : [];
      const sections = section ? { [`segment.${spaceId}`]: hash } : {};
      await sql`insert into weft.state_section (node_id, hash, enterprise_id, content)
        select id, ${hash}, enterprise_id, ${JSON.stringify(section ?? {})}::json
        from weft.node where id = ${node}
        on conflict (node_id, hash, enterprise_id) do update set content = excluded.content`.execute(
        trx,
      );
      await sql`insert into weft.node_state (node_id, epoch, serial, enterprise_id, sections, digest,
          outcome, findings, cause, created_by)
        select id, 1, 1, enterprise_id, ${JSON.stringify(sections)}::jsonb, 'd', 'confirmed',
          ${JSON.stringify(found)}::jsonb, 'test', 0 from weft.node where id = ${node}
        on conflict (node_id, epoch, serial) do update
          set findings = excluded.findings, sections = excluded.sections`.execute(trx);
    }
  });

test("a write concerns the POPs and the CPEs that flows come from, as they were and as they are", async () => {
  const { a, b, p1, p2 } = ids as Record<string, number>;
  const sorted = (...nodes: (number | undefined)[]) => nodes.map(Number).sort((x, y) => x - y);
  expect(await named()).toEqual(sorted(a, p1, p2));
  const edit = async (change: object) => {
    const body = wireDraft("segmentRoute", "valid", home.ids, draft(change));
    const answer = await api.post(segmentRoute.ops.edit.path, { ...body, id: routeId }, home.token);
    expect(answer).toMatchObject({ code: 0 });
    return named();
  };
  expect(await edit({ popIds: `${p2}` })).toEqual(sorted(a, p1, p2));
  expect(await edit({ popIds: `${p2}`, cpeId: "" })).toEqual(sorted(a, b, p2));
  expect(await edit({})).toEqual(sorted(a, b, p1, p2));
});

test("the list shows what each route lacks, whether it acts, and where it is interrupted", async () => {
  expect(await shown()).toBe("cannot noCapability a 0/1");
  await enroll([]);
  expect(await shown()).toBe("cannot noCapability a 0/1");
  await enroll(able);
  expect(await shown()).toBe("pending unconfirmed a 0/1");
  await confirm();
  expect(await shown()).toBe("acts - 1/1");
  await confirm({ a: "segmentCut", p1: "segmentCut" });
  expect(await shown()).toBe("withdrawn hopGone p1 p2 0/1");
  await confirm({ a: "segmentCut", p1: "segmentCut", p2: "segmentEnd" });
  expect(await shown()).toBe("withdrawn endGone p2 0/1");
  await confirm();
  await asOwner(async (trx) => {
    await sql`delete from weft.link where a_node_id = ${ids.p1} and b_node_id = ${ids.p2}`.execute(
      trx,
    );
  });
  expect(await shown()).toBe("withdrawn noLink p1 p2 0/1");
  await asOwner(async (trx) => {
    await reconcileLinks(trx, spaceId);
    await sql`delete from weft.space_member where node_id = ${ids.p2}`.execute(trx);
  });
  expect(await shown()).toBe("cannot popOutside p2 0/1");
});
