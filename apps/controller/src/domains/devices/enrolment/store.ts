import type { enrolmentList } from "@weft/contract/domains/devices/enrolment.ts";
import type { EnrolmentState, NodeKind } from "@weft/contract/domains/devices/enums.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { holdLock, mailsLock } from "#db/locks.ts";
import type { RecentRequests } from "#domains/access/session/public.ts";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { fingerprintOf } from "./rules.ts";

type EnrolmentRow = OutputOf<typeof enrolmentList>[number];

/** What goes into every claim. */
export interface ControllerFacts {
  /** Raw Ed25519 public key, base64url; null: no gateway has started yet. */
  readonly key: string | null;
  readonly addresses: readonly string[];
}

export async function controllerFacts(ctx: Context): Promise<ControllerFacts> {
  const { rows } = await sql<ControllerFacts>`
    select controller_key as key, edge_addresses as addresses from installation`.execute(ctx.db);
  return rows[0] ?? { key: null, addresses: [] };
}

/** A node of the caller's own scope; a POP that is only shared is none. */
export async function findNode(ctx: Context, id: number) {
  return ctx.db
    .selectFrom("node")
    .select(["id", "enterprise_id", "sn", "kind"])
    .where("id", "=", id)
    .where(inCallerScope(ctx, "enterprise_id", "created_by"))
    .forShare()
    .executeTakeFirst();
}

/** Whether another node of the enterprise has the serial number. */
export async function isSnTaken(
  ctx: Context,
  node: { readonly id: number; readonly enterprise_id: number },
  sn: string,
): Promise<boolean> {
  const other = await ctx.db
    .selectFrom("node")
    .select("id")
    .where("enterprise_id", "=", node.enterprise_id)
    .where("sn", "=", sn)
    .where("id", "<>", node.id)
    .executeTakeFirst();
  return other !== undefined;
}

/** Ends the node's unused claims, and adds one. */
export async function addClaim(
  ctx: Context,
  node: { readonly id: number; readonly enterprise_id: number; readonly sn: string },
  claim: { readonly tokenHash: Buffer; readonly preApproved: boolean; readonly expiresAt: Date },
): Promise<{ id: number; revoked: number[] }> {
  const revoked = await ctx.db
    .updateTable("claim")
    .set({ revoked_at: sql`now()` })
    .where("node_id", "=", node.id)
    .where("used_key", "is", null)
    .where("revoked_at", "is", null)
    .returning("id")
    .execute();
  const { id } = await ctx.db
    .insertInto("claim")
    .values({
      enterprise_id: node.enterprise_id,
      node_id: node.id,
      token_hash: claim.tokenHash,
      sn: node.sn,
      pre_approved: claim.preApproved,
      expires_at: claim.expiresAt,
      created_by: ctx.caller.userId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { id, revoked: revoked.map((request) => request.id) };
}

/** Calls of the last hour, as the audit has them. */
const calledAs = (action: string, where: RawBuilder<unknown>) => sql`
  select json_build_object('count', count(*),
    'lastAgo', extract(epoch from now() - max(at)), 'firstAgo', extract(epoch from now() - min(at)))
  from audit where resource = 'cpe' and action = ${action} and at > now() - interval '1 hour' and ${where}`;

/**
 * How often claims were mailed within the hour: those of the node, and those of the caller.
 * @param action the audited call
 */
export async function mailsOf(
  ctx: Context,
  nodeId: number,
  action: string,
): Promise<{ readonly ofNode: RecentRequests; readonly ofCaller: RecentRequests }> {
  const { userId } = ctx.caller;
  // One at a time, so that calls side by side count each other.
  await holdLock(ctx.db, mailsLock("user", userId));
  await holdLock(ctx.db, mailsLock("node", nodeId));
  const { rows } = await sql<{ ofNode: RecentRequests; ofCaller: RecentRequests }>`
    select (${calledAs(action, sql`row_id = ${nodeId}`)}) as "ofNode",
      (${calledAs(action, sql`user_id = ${userId}`)}) as "ofCaller"`.execute(ctx.db);
  const [found] = rows;
  if (!found) throw new Error("a count has one row");
  return found;
}

interface IdentityRecord {
  readonly id: number;
  readonly node_id: number;
  readonly kind: NodeKind;
  readonly node_name: string;
  readonly enterprise_name: string | null;
  readonly sn: string;
  readonly public_key: string;
  readonly address: string;
  readonly state: EnrolmentState;
  readonly created_at: Date;
  readonly decided_at: Date | null;
  readonly decided_by: string | null;
}

/** Devices that used a claim; those that wait come first, then the newest. */
export async function listEnrolments(ctx: Context, query: InputOf<typeof enrolmentList>) {
  const inState = query.state === null ? sql`true` : sql`i.state = ${query.state}`;
  const where = sql<SqlBool>`${inCallerScope(ctx, "n.enterprise_id", "n.created_by")} and ${inState}`;
  const from = sql`from node_identity i join node n on n.id = i.node_id where ${where}`;
  const [selected, total] = await Promise.all([
    sql<IdentityRecord>`
      select i.id, i.node_id, n.kind, n.name as node_name,
        (select e.name from enterprise e where e.id = n.enterprise_id) as enterprise_name,
        i.sn, i.public_key, i.address, i.state, i.created_at, i.decided_at, i.decided_by
      ${from} order by i.state <> 'pending', i.id desc
      limit ${query.limit} offset ${(query.page - 1) * query.limit}`.execute(ctx.db),
    sql<{ n: number }>`select count(*)::int as n ${from}`.execute(ctx.db),
  ]);
  return { rows: selected.rows.map(toRow), count: total.rows[0]?.n ?? 0 };
}

const toRow = (row: IdentityRecord): EnrolmentRow => ({
  id: row.id,
  nodeId: row.node_id,
  kind: row.kind,
  nodeName: row.node_name,
  enterpriseName: row.enterprise_name ?? "",
  sn: row.sn,
  fingerprint: fingerprintOf(row.public_key),
  address: row.address,
  state: row.state,
  createTime: row.created_at,
  decideTime: row.decided_at,
  decidedBy: row.decided_by,
});

export interface Identity {
  readonly id: number;
  readonly nodeId: number;
  readonly enterpriseId: number;
  readonly sn: string;
  readonly state: EnrolmentState;
}

/** The caller's own identities with these ids, locked; fewer when some are not there, or not theirs. */
export async function lockIdentities(ctx: Context, ids: readonly number[]): Promise<Identity[]> {
  const { rows } = await sql<Identity>`
    select i.id, i.node_id as "nodeId", i.enterprise_id as "enterpriseId", i.sn, i.state
    from node_identity i join node n on n.id = i.node_id
    where i.id = any(${[...ids]}::bigint[])
      and ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")}
    order by i.id for update of i`.execute(ctx.db);
  return rows;
}

async function decide(ctx: Context, id: number, state: EnrolmentState): Promise<void> {
  await ctx.db
    .updateTable("node_identity")
    .set({ state, decided_at: sql`now()`, decided_by: ctx.caller.loginName })
    .where("id", "=", id)
    .execute();
}

/**
 * Approves a device for its node. A device that was approved for it before is replaced: the node keeps
 * its configuration and takes the new serial number, the other device loses access.
 * @returns the identities that were replaced
 */
export async function approve(ctx: Context, { id, nodeId, sn }: Identity): Promise<number[]> {
  const replaced = await ctx.db
    .selectFrom("node_identity")
    .select("id")
    .where("node_id", "=", nodeId)
    .where("state", "in", ["approved", "quarantined"])
    .where("id", "<>", id)
    .forUpdate()
    .execute();
  for (const request of replaced) await decide(ctx, request.id, "rejected");
  await decide(ctx, id, "approved");
  await ctx.db
    .updateTable("node")
    .set({ sn, updated_at: sql`now()` })
    .where("id", "=", nodeId)
    .where("sn", "<>", sn)
    .execute();
  if (replaced.length > 0) await forgetTunnelKey(ctx, nodeId);
  return replaced.map((request) => request.id);
}

/** Rejects a device; one that was approved loses its links as well. */
export async function reject(ctx: Context, { id, nodeId, state }: Identity): Promise<void> {
  await decide(ctx, id, "rejected");
  if (state === "approved" || state === "quarantined") await forgetTunnelKey(ctx, nodeId);
}

/** Without a tunnel key a node has no links: its peers block the device's old key. */
async function forgetTunnelKey(ctx: Context, nodeId: number): Promise<void> {
  await ctx.db
    .updateTable("node_status")
    .set({ tunnel_key: null })
    .where("node_id", "=", nodeId)
    .execute();
}
