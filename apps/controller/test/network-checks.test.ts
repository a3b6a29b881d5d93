/** An edit that leaves the networks of its row as they are passes no check of the node and its space. */
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import { clientConfigEdit } from "@weft/contract/domains/mobile/client-config.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { routeNotice } from "@weft/contract/domains/overlay/route-notice.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withClient } from "#db/embedded/login.ts";
import { type People, people } from "./people.ts";
import { newIdOf, wireDraft } from "./tenants.ts";

let all: People;
let cpeId = 0;
const ids = (id: number) => ({ groupid: all.agent, cpeId: id || 1, popId: 1 });
const post = (path: string, draft: object) => all.api.post(path, draft, all.admin);

beforeAll(async () => {
  all = await people();
  const device = wireDraft("cpe", "valid", ids(0), { sn: "CHECKS-1", alias: "checks" });
  cpeId = newIdOf(await post("/customer/cpe/insertNew", device));
  const space = { name: "checks", cpeIds: String(cpeId), popIds: "" };
  newIdOf(await post(netSpace.ops.add.path, wireDraft("netSpace", "valid", ids(0), space)));
});
afterAll(() => all.api.close());

const checks = [
  "require_networks_apart",
  "require_no_collision",
  "require_pin_room",
  "require_state_room",
] as const;
type Check = (typeof checks)[number];
const routeChecks: readonly Check[] = [
  "require_no_collision",
  "require_pin_room",
  "require_state_room",
];

/** Checks that a statement runs, counted by PostgreSQL in a transaction that is undone. */
const checksOf = (text: string): Promise<string[]> =>
  withClient(all.api.database.url, async (client) => {
    await client.query("begin");
    await client.query("set local track_functions = 'all'");
    await client.query(text);
    const { rows } = await client.query<{ name: string }>(
      "select funcname as name from pg_stat_xact_user_functions where schemaname = 'weft'",
    );
    await client.query("rollback");
    const called = new Set(rows.map(({ name }) => name));
    return checks.filter((check) => called.has(check));
  });

/** Statements of the API that compare networks with those of other sites. */
async function readsOf(call: () => Promise<unknown>): Promise<number> {
  let reads = 0;
  const stop = all.api.database.pools.onQuery(({ sql }) => {
    if (/weft\.(site|network)_collisions/.test(sql)) reads += 1;
  });
  expect(await call()).toMatchObject({ code: 0 });
  stop();
  return reads;
}

interface Kind {
  readonly table: string;
  /** Assignments of an update that change no network. */
  readonly silent: string;
  /** Assignments of updates that each change one, and the checks that they run. */
  readonly changed: readonly string[];
  readonly checks: readonly Check[];
  readonly path: string;
  readonly edit: string;
  readonly key: string;
  readonly draft: () => Record<string, unknown>;
  readonly silentFields: object;
  readonly changedFields: object;
}

const kinds: readonly [string, Kind][] = [
  [
    "static route",
    {
      table: "static_route",
      silent: "metric = 7, remark = 'x', next_hop = '10.1.1.9', updated_at = now()",
      changed: ["destination = '10.2.0.0/16'", "enabled = false", "announce = false"],
      checks: routeChecks,
      path: staticRoute.ops.add.path,
      edit: staticRoute.ops.edit.path,
      key: staticRoute.id,
      draft: () =>
        wireDraft("staticroute", "valid", ids(cpeId), {
          nCpeID: cpeId,
          destination: "10.3.0.0/16",
          nextHop: "10.1.1.2",
          announce: 1,
          nEnable: 1,
        }),
      silentFields: { metric: 9, remark: "slower", nextHop: "10.1.1.3" },
      changedFields: { destination: "10.4.0.0/16" },
    },
  ],
  [
    "route notice",
    {
      table: "route_notice",
      silent: "remark = 'x', updated_at = now()",
      changed: ["network = '10.5.0.0/16'", "enabled = false"],
      checks: routeChecks,
      path: routeNotice.ops.add.path,
      edit: routeNotice.ops.edit.path,
      key: routeNotice.id,
      draft: () =>
        wireDraft("routeNotice", "valid", ids(cpeId), { cpeId, network: "10.6.0.0/16", enable: 1 }),
      silentFields: { remark: "known" },
      changedFields: { network: "10.7.0.0/16" },
    },
  ],
  [
    "LAN section",
    {
      table: "lan_section",
      silent: "remark = 'x', enable_direct = not enable_direct, updated_at = now()",
      changed: [
        "network = '10.8.0.1/24'",
        "network6 = 'fd00:8::1/64'",
        "enable_forward = false",
        "interface_name = 'lan7'",
        "vlan = 7",
      ],
      checks,
      path: lanSection.ops.add.path,
      edit: lanSection.ops.edit.path,
      key: lanSection.id,
      draft: () =>
        wireDraft("lansection", "valid", ids(cpeId), {
          nCpeID: cpeId,
          network: "10.9.0.1/24",
          network6: "",
          vlan: 0,
          enableForward: 1,
        }),
      silentFields: { remark: "context floor" },
      changedFields: { network: "10.10.0.1/24" },
    },
  ],
];

describe.each(kinds)("a %s", (_name, kind) => {
  let id = 0;
  beforeAll(async () => {
    id = newIdOf(await post(kind.path, kind.draft()));
  });

  test("is not checked when an edit leaves its networks as they are, and is for each that changes", async () => {
    const update = (set: string) =>
      checksOf(`update weft.${kind.table} set ${set} where id = ${id}`);
    expect(await update(kind.silent)).toEqual([]);
    for (const set of kind.changed) {
      const found = await update(set);
      expect(found, set).toEqual(
        // A row that ends, or only moves, brings no network that another site may have.
        set.startsWith("enabled =") ||
          set.startsWith("enable_forward =") ||
          /^(interface|vlan)/.test(set)
          ? kind.checks.filter((check) => check !== "require_no_collision")
          : kind.checks,
      );
    }
  });

  test("is compared with other sites by its call only when a network changes", async () => {
    const draft = { ...kind.draft(), [kind.key]: id };
    const edit = (fields: object) => () => post(kind.edit, { ...draft, ...fields });
    expect(await readsOf(edit(kind.silentFields))).toBe(0);
    expect(await readsOf(edit({ ...kind.silentFields, ...kind.changedFields }))).toBe(1);
  });
});

test("rows of a statement are checked for the nodes whose networks change only", async () => {
  const device = wireDraft("cpe", "valid", ids(0), { sn: "CHECKS-2", alias: "checks-2" });
  const other = newIdOf(await post("/customer/cpe/insertNew", device));
  const route = (node: number, destination: string) =>
    post(
      staticRoute.ops.add.path,
      wireDraft("staticroute", "valid", ids(node), {
        nCpeID: node,
        destination,
        nextHop: "10.1.1.2",
        nEnable: 1,
      }),
    ).then(newIdOf);
  const [one, two] = [await route(cpeId, "172.20.0.0/16"), await route(other, "172.21.0.0/16")];
  expect(
    await checksOf(`update weft.static_route set metric = metric + 1 where id in (${one}, ${two})`),
  ).toEqual([]);
  // Both rows are written, one of them changes: a swap of the two is a change of both.
  const swapped = `update weft.static_route set destination = case id
    when ${one} then '172.21.0.0/16' else '172.20.0.0/16' end where id in (${one}, ${two})`;
  expect(await checksOf(swapped)).toEqual(routeChecks);
});

test("a pool of mobile clients is compared only when it, its space or its switch changes", async () => {
  const draft = wireDraft("netSpace", "valid", ids(0), { name: "pools", cpeIds: "", popIds: "" });
  const netSpaceId = newIdOf(await post(netSpace.ops.add.path, draft));
  const fields = { groupid: all.agent, enable: 0, netSpaceId, popId: "", ipPool: "10.40.0.0/24" };
  const rest = { serverHost: "", dns: "", routes: "", allowTerminalTypes: "" };
  const rates = { defaultTxbps: "", defaultRxbps: "" };
  const edit = (changed: object) => () =>
    post(clientConfigEdit.path, { ...fields, ...rest, ...rates, ...changed });
  expect(await readsOf(edit({}))).toBe(1);
  expect(await readsOf(edit({ serverHost: "vpn.example.com" }))).toBe(0);
  expect(await readsOf(edit({ ipPool: "10.42.0.0/24" }))).toBe(1);
  const update = (set: string) =>
    checksOf(`update weft.client_service set ${set} where enterprise_id = ${all.agent}`);
  expect(await update("host = 'vpn.example.com', tx_bps = 1000")).toEqual([]);
  expect(await update("pool = '10.41.0.0/24'")).toEqual(["require_networks_apart"]);
  expect(await update("pool = '10.41.0.0/24', enabled = true")).toEqual([
    "require_networks_apart",
    "require_no_collision",
  ]);
});

test("what is new is checked", async () => {
  const insert = `insert into weft.static_route (enterprise_id, node_id, destination, next_hop, metric)
    values (${all.agent}, ${cpeId}, '172.31.0.0/16', '10.1.1.2', 1)`;
  expect(await checksOf(insert)).toEqual(routeChecks);
});
