/** Nodes that are held at a past state. */

import { type DesiredState, fromSections } from "@weft/contract/device/v1/state.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import { readNamedOf } from "#domains/delivery/contents/public.ts";
import type { TemplateInState } from "#domains/delivery/lifecycle/public.ts";
import { siteCollisions } from "#domains/devices/public.ts";
import type { Context } from "#kernel/api.ts";
import { announcedIn } from "./restore.ts";
import type { StateRow } from "./store.ts";

export interface Pinned {
  readonly serial: number;
  readonly state: DesiredState;
  /** The template version that is in it. */
  readonly template: TemplateInState | null;
}

interface PinnedRow {
  readonly node_id: number;
  readonly serial: number;
  readonly sections: Record<string, string>;
  readonly template_id: number | null;
  readonly template_version: number | null;
  readonly template_unmet: TemplateInState["unmet"];
}

/**
 * The states that nodes are held at, as the worker reads them, or why one cannot be read; a node that is left out is not
 * held.
 */
export async function readPins(
  trx: Transaction<Database>,
  nodeIds: readonly number[],
): Promise<ReadonlyMap<number, Pinned | Error>> {
  const { rows } = await sql<PinnedRow>`
    select p.node_id, p.serial, s.sections, s.template_id, s.template_version, s.template_unmet
    from node_pin p join node_state s using (node_id, epoch, serial)
    where p.node_id = any(${[...nodeIds]}::bigint[])`.execute(trx);
  const contents = await readNamedOf(
    trx,
    rows.map(({ node_id, sections }) => ({ nodeId: node_id, named: sections })),
  );
  const pins = new Map<number, Pinned | Error>();
  for (const row of rows) {
    try {
      pins.set(row.node_id, pinnedAt(row, contents.get(row.node_id) ?? new Map()));
    } catch (error) {
      pins.set(row.node_id, error as Error);
    }
  }
  return pins;
}

/** @throws Error when a section is gone */
function pinnedAt(row: PinnedRow, contents: ReadonlyMap<string, unknown>): Pinned {
  // fromSections refuses a document with a section that is gone.
  const names = Object.keys(row.sections);
  const state = fromSections(new Map(names.map((name) => [name, contents.get(name)])));
  const { serial, template_id: templateId, template_version: version, template_unmet: unmet } = row;
  const template = templateId !== null && version !== null ? { templateId, version, unmet } : null;
  return { serial, state, template };
}

/** As `readPins`, of one node; null: it is not held. @throws Error why it cannot be read */
export async function readPinned(
  trx: Transaction<Database>,
  nodeId: number,
): Promise<Pinned | null> {
  const pinned = (await readPins(trx, [nodeId])).get(nodeId) ?? null;
  if (pinned instanceof Error) throw pinned;
  return pinned;
}

/** Networks of the site's own LANs in a past state. */
const lansIn = (past: DesiredState): string[] => [
  ...new Set(past.underlay.lans.flatMap(({ addresses }) => addresses).map(networkOf)),
];

/** Networks that the node's notices announce beside other sites: they are so whatever state it is held at. */
async function sharedNotices(ctx: Context, nodeId: number): Promise<ReadonlySet<string>> {
  const rows = await ctx.db
    .selectFrom("route_notice")
    .select("network")
    .where("node_id", "=", nodeId)
    .where("preference", "is not", null)
    .execute();
  return new Set(rows.map(({ network }) => networkOf(network)));
}

/** Networks of other sites that collide with those which the node would bring back: "site 10.1.0.0/24". */
export async function findCollisions(
  ctx: Context,
  nodeId: number,
  past: DesiredState,
): Promise<string[]> {
  const lans = new Set(lansIn(past));
  const shared = await sharedNotices(ctx, nodeId);
  const kindOf = (network: string) =>
    lans.has(network) ? "lan" : shared.has(network) ? "shared" : "announced";
  const siteNetworks = await siteCollisions(
    ctx,
    nodeId,
    announcedIn(past).map((network) => ({ network, kind: kindOf(networkOf(network)) })),
  );
  const named = siteNetworks.map(({ siteName, network }) => `${siteName} ${network}`);
  return [...new Set(named)].sort().slice(0, maxNamed);
}

/** How many of them one text names. */
const maxNamed = 5;

export function findPin(ctx: Context, nodeId: number) {
  return ctx.db.selectFrom("node_pin").selectAll().where("node_id", "=", nodeId).executeTakeFirst();
}

/** Holds the node at the state. */
export async function writePin(ctx: Context, state: StateRow, past: DesiredState): Promise<void> {
  const { epoch, serial } = state;
  const values = {
    epoch,
    serial,
    login_name: ctx.caller.loginName,
    created_by: ctx.caller.userId,
    announced: sql<string[]>`${announcedIn(past)}::text[]`,
    lans: sql<string[]>`${lansIn(past)}::text[]`,
  };
  await ctx.db
    .insertInto("node_pin")
    .values({ node_id: state.node_id, enterprise_id: state.enterprise_id, ...values })
    .onConflict((conflict) =>
      conflict.column("node_id").doUpdateSet({ ...values, created_at: sql`now()` }),
    )
    .execute();
}

export async function removePin(ctx: Context, nodeId: number): Promise<void> {
  await ctx.db.deleteFrom("node_pin").where("node_id", "=", nodeId).execute();
}
