import type { StateOutcome, TaskStatus } from "@weft/contract/domains/delivery/enums.ts";
import type { nodeState } from "@weft/contract/domains/delivery/node-state.ts";
import type { taskList } from "@weft/contract/domains/delivery/task.ts";
import type { DriftPolicy } from "@weft/contract/domains/devices/enums.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { type Selectable, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import { isBeingCompiled } from "#domains/devices/public.ts";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { isBlocked } from "./rules.ts";

/** Findings of the controller that are shown; a POP may be in many spaces. */
const maxSpaceFindings = 100;

type NodeState = OutputOf<typeof nodeState>;
type StateEntry = NonNullable<NodeState["desired"]>;
type StateRow = Selectable<Database["node_state"]>;

const toEntry = (row: StateRow): StateEntry => ({
  epoch: row.epoch,
  serial: row.serial,
  outcome: row.outcome as StateOutcome,
  reason: row.reason,
  cause: row.cause,
  createTime: row.created_at,
  endTime: row.ended_at,
});

/** A state is on its way again while later networks of its spaces are (docs/adr/0047-state-revisions.md). */
const awaitedOf = ({ outcome }: StateRow, awaited: "waiting" | "delivered" | null) =>
  outcome === "confirmed" && awaited !== null ? { outcome: awaited } : {};

const statesOf = (ctx: Context, nodeId: number) =>
  ctx.db
    .selectFrom("node_state")
    .selectAll()
    .where("node_id", "=", nodeId)
    .orderBy("epoch", "desc")
    .orderBy("serial", "desc")
    .limit(1);

/** Wanted, confirmed and seen of a node; null when it is not there, or not for the caller. */
export async function readNodeState(ctx: Context, id: number): Promise<NodeState | null> {
  const [compiling, node, newest, confirmed, pin, mark, ofSpaces] = await Promise.all([
    // First: a state that is published between two statements is then still compiling, or already the newest.
    isCompiling(ctx, id),
    ctx.db
      .selectFrom("node")
      .leftJoin("node_status", "node_status.node_id", "node.id")
      .leftJoin("node_config", "node_config.node_id", "node.id")
      .selectAll("node_status")
      .select(["node.id", sql<DriftPolicy | null>`items ->> 'driftPolicy'`.as("drift_policy")])
      .select(inCallerScope(ctx, "node.enterprise_id").as("config_visible"))
      .select(
        sql<"waiting" | "delivered" | null>`(
          select awaited from weft.awaited_lists(array[node.id]))`.as("awaited"),
      )
      .where("node.id", "=", id)
      .executeTakeFirst(),
    statesOf(ctx, id).executeTakeFirst(),
    statesOf(ctx, id).where("outcome", "=", "confirmed").executeTakeFirst(),
    ctx.db.selectFrom("node_pin").selectAll().where("node_id", "=", id).executeTakeFirst(),
    ctx.db
      .selectFrom("compile_mark")
      .select(["failure", "failed_at"])
      .where("node_id", "=", id)
      .executeTakeFirst(),
    readSpaceFindings(ctx, id),
  ]);
  if (!node) return null;
  return {
    id,
    online: node.online ?? false,
    version: node.version,
    lastOnline: node.last_seen,
    configVisible: Boolean(node.config_visible),
    compiling,
    uncompiled: mark?.failure && mark.failed_at ? { ...mark.failure, since: mark.failed_at } : null,
    desired: newest ? { ...toEntry(newest), ...awaitedOf(newest, node.awaited) } : null,
    confirmed: confirmed ? toEntry(confirmed) : null,
    findings: [...(confirmed?.findings ?? []), ...ofSpaces],
    runningSerial: node.running_serial,
    blocked: newest && isBlocked(newest) ? toEntry(newest) : null,
    heldAt: pin ? { serial: pin.serial, by: pin.login_name, createTime: pin.created_at } : null,
    driftPolicy: node.drift_policy ?? "heal",
    driftSteps: node.drift_steps,
    drift: node.drift_since && {
      plan: node.drift_plan ?? [],
      since: node.drift_since,
      endTime: node.drift_ended_at,
    },
    capabilities: node.capabilities ?? [],
    lines: node.lines ?? [],
  };
}

/** What the controller found about the node in its spaces; the same of two spaces is one finding. */
async function readSpaceFindings(ctx: Context, id: number): Promise<NodeState["findings"]> {
  const findings = await ctx.db
    .selectFrom("node_finding")
    .select(["kind", "object", "reason", "params"])
    .distinct()
    .where("node_id", "=", id)
    .orderBy("kind")
    .orderBy("object")
    .orderBy("reason")
    .limit(maxSpaceFindings)
    .execute();
  return findings.map((one) => ({ section: "", ...one, params: { ...one.params } }));
}

async function isCompiling(ctx: Context, id: number): Promise<boolean> {
  const node = sql`${id}::bigint`;
  const { rows } = await sql<{ found: boolean }>`select ${isBeingCompiled(node)} as found`.execute(
    ctx.db,
  );
  return rows[0]?.found ?? false;
}

export async function listTasks(ctx: Context, query: InputOf<typeof taskList>) {
  const tasks = ctx.db.selectFrom("task").where("node_id", "=", query.cpeId);
  const [rows, total] = await Promise.all([
    tasks
      .selectAll()
      .orderBy("id", "desc")
      .limit(query.limit)
      .offset((query.page - 1) * query.limit)
      .execute(),
    tasks.select(sql<number>`count(*)::int`.as("n")).executeTakeFirstOrThrow(),
  ]);
  return {
    rows: rows.map((row) => ({
      operId: row.id,
      cpeId: row.node_id,
      type: row.type,
      status: row.status as TaskStatus,
      serial: row.serial,
      content: row.content,
      createTime: row.created_at,
      updateTime: row.updated_at,
    })),
    count: total.n,
  };
}

const own = (ctx: Context) => sql<boolean>`
  node_id in (select n.id from node n where ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")})`;

/** A task of the caller's own nodes, locked. */
export async function lockTask(ctx: Context, id: number) {
  return ctx.db
    .selectFrom("task")
    .selectAll()
    .where("id", "=", id)
    .where(own(ctx))
    .forUpdate()
    .executeTakeFirst();
}

/** The newest state of one of the caller's own nodes, locked. */
export async function lockNewest(ctx: Context, nodeId: number): Promise<StateRow | undefined> {
  return statesOf(ctx, nodeId).where(own(ctx)).forUpdate().executeTakeFirst();
}
