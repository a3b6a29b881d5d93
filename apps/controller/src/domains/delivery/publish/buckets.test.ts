/** Accounts and ACL of a POP in parts: what one edit stores and sends, and devices that do not read buckets. */

import { clientBuckets, clientBucketsCapability } from "@weft/contract/device/v1/client.ts";
import { aclChunksCapability } from "@weft/contract/device/v1/firewall.ts";
import { fromSections } from "@weft/contract/device/v1/state.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readNamed } from "#domains/delivery/contents/public.ts";
import { differences } from "#domains/delivery/history/public.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";
import { createCompiler } from "./compile-marked.ts";
import { createChangeReader } from "./read-changes.ts";

const accounts = 640;
const logger = pino({ level: "silent" });
let api: TestApi;
let admin: string;
let node: number;
let space: number;
beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
  await makePop();
}, 60_000);
afterAll(() => api.close());

const rows = async <Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  (await query.execute(api.database.pools.owner.db)).rows;

async function add(path: string, name: Parameters<typeof wireDraft>[0], fields: object) {
  const ids = { groupid: 1, cpeId: node ?? 1, popId: node ?? 1 };
  const answer = await api.post(path, wireDraft(name, "valid", ids, fields), admin);
  expect(answer).toMatchObject({ code: 0 });
  return newIdOf(answer);
}

/** A POP with a WAN link that accounts of its enterprise call. */
async function makePop(): Promise<void> {
  node = await add(pop.ops.add.path, "pop", { groupid: 1, sn: "BUCKETS", name: "hub" });
  await add(line.ops.add.path, "line", {
    nodeId: node,
    slot: 1,
    name: "one",
    interfaceName: "wan1",
    reachable: 1,
    ip: "198.51.100.10/24",
    gateway: "198.51.100.1",
  });
  const members = { groupid: 1, popIds: String(node), cpeIds: "" };
  space = await add(netSpace.ops.add.path, "netSpace", { name: "road", ...members });
  await rows(sql`insert into client_service
    (enterprise_id, enabled, space_id, pop_id, pool, port, routes, terminal_types)
    values (1, true, ${space}, ${node}, '10.88.0.0/16', 50000, '{}', '{}')`);
  await rows(sql`insert into mobile_account
    (enterprise_id, login_name, alias, terminal_type, public_key, address)
    select 1, 'road' || n, 'road' || n, 6, encode(sha256(n::text::bytea), 'base64'),
      '10.88.0.1'::inet + n from generate_series(1, ${accounts}::int) n`);
}

interface Stored {
  readonly names: Record<string, string>;
  readonly contents: Map<string, unknown>;
  /** Sections that are kept of all states, and their bytes as text. */
  readonly kept: number;
  readonly bytes: number;
}

/** The state after a change of what the device reports that it can do. */
async function compiled(capabilities: readonly string[]): Promise<Stored> {
  const found = JSON.stringify(capabilities.map((name) => ({ name, can: true, reason: null })));
  await rows(sql`insert into node_status (node_id, enterprise_id, capabilities)
    values (${node}, 1, ${found}) on conflict (node_id) do update set capabilities = ${found}`);
  await rows(sql`insert into change (enterprise_id, node_ids, cause, created_by)
    values (1, array[${node}]::bigint[], 'edge: report', 0)`);
  const reader = createChangeReader(api.database.pools, logger);
  while ((await reader.run()) > 0);
  const compiler = createCompiler(api.database.pools, logger, () => undefined);
  while ((await compiler.run()) === 0);
  const [state] = await rows(sql<{ sections: Record<string, string> }>`
    select sections from node_state where node_id = ${node} order by serial desc limit 1`);
  const names = state?.sections ?? {};
  const sections = await rows(sql<{ bytes: number }>`
    select octet_length(content::text) as bytes from state_section
    where node_id = ${node}`);
  return {
    names,
    contents: await readNamed(api.database.pools.owner.db, node, names),
    kept: sections.length,
    bytes: sections.reduce((sum, one) => sum + one.bytes, 0),
  };
}

const editOne = (bps: number) =>
  rows(sql`update mobile_account set tx_bps = ${bps} where login_name = 'road7'`);

const changed = (before: Stored, after: Stored): string[] =>
  Object.keys(after.names).filter((name) => before.names[name] !== after.names[name]);

test("an edit of one account stores and sends one bucket; a device that reads none gets one section", async () => {
  const first = await compiled([]);
  await editOne(1_000_000);
  const second = await compiled([]);
  expect(changed(first, second)).toEqual([`client.${space}`]);
  const inWhole = second.bytes - first.bytes;

  const divided = await compiled([clientBucketsCapability]);
  const buckets = Object.keys(divided.names).filter((name) => name.startsWith("client."));
  expect(buckets).toHaveLength(clientBuckets);
  expect(divided.names[`client.${space}`]).toBeUndefined();
  // The same state: comparison and rollback see no difference.
  expect(differences(second.contents, divided.contents)).toEqual([]);
  expect(fromSections(divided.contents)).toEqual(fromSections(second.contents));

  await editOne(2_000_000);
  const edited = await compiled([clientBucketsCapability]);
  expect(changed(divided, edited)).toHaveLength(1);
  expect(edited.kept).toBe(divided.kept + 1);
  expect((edited.bytes - divided.bytes) / inWhole).toBeLessThan(1 / 30);
  expect(differences(divided.contents, edited.contents)).toMatchObject([
    { section: "client", spaceId: space, kind: "account", change: "changed" },
  ]);

  // An earlier version of the edge is put on the device again.
  const again = await compiled([]);
  expect(changed(edited, again)).toEqual([`client.${space}`]);
  expect(fromSections(again.contents)).toEqual(fromSections(edited.contents));
});

test("a service without accounts is one section in both forms", async () => {
  await rows(sql`update mobile_account set enabled = false`);
  const named = async (capabilities: readonly string[]) =>
    Object.keys((await compiled(capabilities)).names).filter((name) => name.startsWith("client."));
  expect(await named([clientBucketsCapability])).toEqual([`client.${space}.0`]);
  expect(await named([])).toEqual([`client.${space}`]);
});

test("an ACL rule more or less changes the chunk that it is in", async () => {
  await rows(sql`insert into acl_rule
    (enterprise_id, node_id, section, sort, name, action, protocol, src_ip)
    select 1, ${node}, 0, n, 'rule' || n, 0, 'any', '10.' || n / 256 || '.' || n % 256 || '.0/24'
    from generate_series(1, 2000) n`);
  const inOne = await compiled([]);
  const divided = await compiled([aclChunksCapability]);
  expect(Object.keys(divided.names).length - Object.keys(inOne.names).length).toBeGreaterThan(5);
  expect(fromSections(divided.contents)).toEqual(fromSections(inOne.contents));
  expect(fromSections(divided.contents).firewall.acl).toHaveLength(2_000);
  await rows(sql`delete from acl_rule where name = 'rule1000'`);
  const edited = await compiled([aclChunksCapability]);
  // Two chunks become one when the rule between them goes.
  expect(edited.kept - divided.kept).toBeLessThanOrEqual(2);
  expect(differences(divided.contents, edited.contents)).toMatchObject([
    { section: "firewall", spaceId: null, kind: "acl", change: "removed" },
  ]);
  const again = await compiled([]);
  expect(fromSections(again.contents)).toEqual(fromSections(edited.contents));
});
