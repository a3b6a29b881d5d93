import { joinLans } from "@weft/contract/device/v1/earlier-lans.ts";
import type { StateOutcome } from "@weft/contract/domains/delivery/enums.ts";
import type { stateList } from "@weft/contract/domains/delivery/history.ts";
import type { InputOf, ResultOf } from "@weft/contract/kernel/endpoint.ts";
import type { Message } from "@weft/contract/kernel/message.ts";
import { type Selectable, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import { readNamed } from "#domains/delivery/contents/public.ts";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { causeReader } from "./causes.ts";
import type { Sections } from "./difference.ts";
import { differsInBack, sectionsBack } from "./restore.ts";

export type StateRow = Selectable<Database["node_state"]>;

export interface OwnNode {
  readonly id: number;
  readonly kind: "cpe" | "pop";
  readonly enterpriseId: number;
  readonly running: { readonly epoch: number; readonly serial: number } | null;
}

/** A node of the caller's own; a shared POP is another's, and so are the states that it was sent. */
export async function findOwnNode(ctx: Context, id: number): Promise<OwnNode | undefined> {
  const row = await ctx.db
    .selectFrom("node")
    .leftJoin("node_status", "node_status.node_id", "node.id")
    .select(["node.id", "node.kind", "node.enterprise_id", "running_epoch", "running_serial"])
    .where("node.id", "=", id)
    .where(inCallerScope(ctx, "node.enterprise_id", "node.created_by"))
    .executeTakeFirst();
  if (!row) return undefined;
  const { running_epoch: epoch, running_serial: serial } = row;
  return {
    id,
    kind: row.kind,
    enterpriseId: row.enterprise_id,
    running: epoch !== null && serial !== null ? { epoch, serial } : null,
  };
}

const statesOf = (ctx: Context, nodeId: number) =>
  ctx.db.selectFrom("node_state").where("node_id", "=", nodeId);

/** A page of a node's states, the newest first. */
export async function listStates(
  ctx: Context,
  node: OwnNode,
  { page, limit, outcome }: InputOf<typeof stateList>,
): Promise<ResultOf<typeof stateList>> {
  const matching = statesOf(ctx, node.id).$if(outcome !== null, (query) =>
    query.where("outcome", "=", outcome as string),
  );
  const [states, total] = await Promise.all([
    matching
      .selectAll()
      .orderBy("epoch", "desc")
      .orderBy("serial", "desc")
      .limit(limit)
      .offset((page - 1) * limit)
      .execute(),
    matching.select(sql<number>`count(*)::int`.as("n")).executeTakeFirstOrThrow(),
  ]);
  return { rows: await readable(ctx, node, states), count: total.n };
}

/** Serials of the states of which something would go back: the others differ from the newest in what stays as it is. */
async function goingBack(ctx: Context, states: readonly StateRow[]): Promise<ReadonlySet<number>> {
  const [first] = states;
  if (!first) return new Set();
  const newest = await statesOf(ctx, first.node_id)
    .select("sections")
    .orderBy("epoch", "desc")
    .orderBy("serial", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  const others = (row: StateRow) =>
    withEarlierLans(sectionsBack.filter((kind) => row.sections[kind] !== newest.sections[kind]));
  const hashes = states.flatMap((row) =>
    others(row).flatMap((kind) => [row.sections[kind], newest.sections[kind]]),
  );
  const { rows } = await sql<{ hash: string; content: unknown }>`
    select hash, content from state_section where node_id = ${first.node_id}
      and hash = any(${hashes.filter((hash) => hash !== undefined)}::text[])`.execute(ctx.db);
  const contents = new Map(rows.map(({ hash, content }) => [hash, content]));
  const contentsOf = ({ sections }: Pick<StateRow, "sections">, kinds: readonly string[]) =>
    joinLans(
      new Map(
        kinds.flatMap((kind) => {
          const hash = sections[kind];
          return hash === undefined ? [] : [[kind, contents.get(hash)] as const];
        }),
      ),
    );
  const isBack = (row: StateRow): boolean => {
    const kinds = others(row);
    const [past, present] = [contentsOf(row, kinds), contentsOf(newest, kinds)];
    return kinds.some((kind) => differsInBack(kind, past.get(kind), present.get(kind)));
  };
  return new Set(states.filter(isBack).map(({ serial }) => serial));
}

/** States of earlier versions have LAN sections in both: one is not compared without the other. */
const withEarlierLans = (kinds: readonly string[]): readonly string[] =>
  kinds.includes("underlay") || kinds.includes("firewall")
    ? [...new Set([...kinds, "underlay", "firewall"])]
    : kinds;

type ReadState = ResultOf<typeof stateList>["rows"][number];

async function readable(
  ctx: Context,
  node: OwnNode,
  states: readonly StateRow[],
): Promise<ReadState[]> {
  const { running } = node;
  const causesOf = await causeReader(ctx, states);
  const back = await goingBack(ctx, states);
  return states.map((row) => ({
    epoch: row.epoch,
    serial: row.serial,
    outcome: row.outcome as StateOutcome,
    reason: row.reason,
    restores: row.restores,
    running: running?.epoch === row.epoch && running.serial === row.serial,
    goesBack: back.has(row.serial) && !isBeforeMove(node, row),
    causes: causesOf(row),
    createTime: row.created_at,
    deliverTime: row.delivered_at,
    endTime: row.ended_at,
  }));
}

/**
 * States of a node that were made within a span or had not ended at its start, the newest first.
 * @returns none of a node that is not the caller's own
 */
export async function statesWithin(
  ctx: Context,
  nodeId: number,
  { from, to }: { readonly from: Date; readonly to: Date },
  maxRows: number,
): Promise<ReadState[]> {
  const node = await findOwnNode(ctx, nodeId);
  if (!node) return [];
  const states = await statesOf(ctx, nodeId)
    .selectAll()
    .where("created_at", "<", to)
    .where(sql<boolean>`coalesce(ended_at, now()) >= ${from}`)
    .orderBy("epoch", "desc")
    .orderBy("serial", "desc")
    .limit(maxRows)
    .execute();
  return readable(ctx, node, states);
}

/** The state that the node confirmed last, for the enterprise that it is of. */
export function findConfirmed(ctx: Context, node: OwnNode): Promise<StateRow | undefined> {
  return statesOf(ctx, node.id)
    .selectAll()
    .where("outcome", "=", "confirmed")
    .where("enterprise_id", "=", node.enterpriseId)
    .orderBy("epoch", "desc")
    .orderBy("serial", "desc")
    .limit(1)
    .executeTakeFirst();
}

const beforeMove: Message = [
  "该版本产生于设备移入本企业之前，属于原企业",
  "that configuration is from before the node was moved to this enterprise, and belongs to the former one",
];

export const isBeforeMove = (node: OwnNode, state: StateRow): boolean =>
  state.enterprise_id !== node.enterpriseId;

export const refuseBeforeMove = (): never => refuse("notAllowedNow", { reason: beforeMove });

/**
 * One state by its serial, the newest of that number. Those of before a move are read by whoever may read both enterprises;
 * to others they are refused.
 */
export async function requireState(ctx: Context, node: OwnNode, serial: number): Promise<StateRow> {
  const state = await statesOf(ctx, node.id)
    .selectAll()
    .where("serial", "=", serial)
    .orderBy("epoch", "desc")
    .limit(1)
    .executeTakeFirst();
  if (state) return state;
  const { rows } = await sql<{ before: boolean }>`
    select weft.is_state_before_move(${node.id}, ${serial}) as before`.execute(ctx.db);
  return rows[0]?.before ? refuseBeforeMove() : refuse("notFound");
}

/**
 * Contents of a state's sections by name.
 * @throws Error when one is gone: a difference without it would be wrong
 */
export async function readStateSections(ctx: Context, state: StateRow): Promise<Sections> {
  const contents = await readNamed(ctx.db, state.node_id, state.sections);
  for (const name of Object.keys(state.sections))
    if (!contents.has(name)) throw new Error(`state ${state.serial}: section ${name} is gone`);
  return contents;
}

/** Names of spaces that the caller may see. */
export async function spaceNames(
  ctx: Context,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom("net_space")
    .select(["id", "name"])
    .where(sql<boolean>`id = any(${[...ids]}::bigint[])`)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The newest state of a node when it waits for an operator, locked. */
export async function lockHeld(ctx: Context, nodeId: number): Promise<StateRow | undefined> {
  const newest = await statesOf(ctx, nodeId)
    .selectAll()
    .orderBy("epoch", "desc")
    .orderBy("serial", "desc")
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  return newest?.outcome === "held" ? newest : undefined;
}
