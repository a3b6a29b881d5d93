/** Which state a device gets next, and the outcomes of those it got. */
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import { compareStates, type StateHead, type StateId } from "@weft/contract/device/v1/state.ts";
import { type Selectable, sql, type Transaction } from "kysely";
import { inScope, type Pools, scopedRead } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { readContents } from "#domains/delivery/contents/public.ts";
import { deliverState, recordFindings, recordOutcome } from "#domains/delivery/lifecycle/public.ts";

type Trx = Transaction<Database>;
type StateRow = Pick<
  Selectable<Database["node_state"]>,
  | "epoch"
  | "serial"
  | "sections"
  | "digest"
  | "outcome"
  | "delivered_at"
  | "template_id"
  | "template_version"
> & { readonly retries: number; readonly retryable: boolean };

/** What the socket knows of its device. */
export interface DeviceView {
  readonly running: (StateId & { readonly digest: string }) | null;
  /** Sent on this socket last; null: nothing yet. */
  readonly sent: StateId | null;
  /** What it may have to report of states of earlier sockets is reported. */
  readonly isSettled: boolean;
}

export interface DeliveryTimes {
  /** Ms after which a state that the device stopped reporting on no longer blocks newer ones. */
  readonly silentMs: number;
  /** Ms from a revert without commit confirmation to the one automatic retry. */
  readonly retryAfterMs: number;
  /** The same when the edge itself was stopped; longer than the edge blocks what it took back. */
  readonly retryAfterStopMs: number;
}

const isSame = (one: StateId | null, other: StateId | null): boolean =>
  one !== null && other !== null && compareStates(one, other) === 0;

/** `keep`: send it again unchanged; `deliver`: send it and record that. */
export type Verdict = "nothing" | "keep" | "deliver";

/**
 * What to do with the newest state. Pure.
 * @param isBusy an older state that was sent on this socket has not ended yet
 */
export function evaluate(
  newest: Pick<StateRow, "epoch" | "serial" | "digest" | "outcome" | "retryable">,
  device: DeviceView,
  isBusy: boolean,
): Verdict {
  const { running, sent } = device;
  // A device that runs it needs nothing; one that runs a newer state would not take it.
  if (running !== null && compareStates(running, newest) > 0) return "nothing";
  if (isSame(running, newest) && running?.digest === newest.digest) return "nothing";
  if (isBusy) return "nothing";
  switch (newest.outcome) {
    case "waiting":
      return "deliver";
    case "reverted":
      // A device that reports the revert once more must not take that for the end of the retry.
      return newest.retryable && device.isSettled ? "deliver" : "nothing";
    // Another socket had it sent; or the device was replaced, or lost what it had confirmed.
    case "delivered":
    case "applied":
    case "confirmed":
      return device.isSettled && !isSame(sent, newest) ? "keep" : "nothing";
    default:
      return "nothing";
  }
}

const stateOf = (trx: Trx, node: number, times: DeliveryTimes) =>
  trx
    .selectFrom("node_state")
    .select(["epoch", "serial", "sections", "digest", "outcome", "delivered_at", "retries"])
    .select(["template_id", "template_version"])
    .select(
      sql<boolean>`weft.is_retry_due(node_state, ${times.retryAfterMs} * interval '1 ms',
        ${times.retryAfterStopMs} * interval '1 ms')`.as("retryable"),
    )
    .where("node_id", "=", node);

/**
 * The head to send now, marked as delivered and committed; null when there is nothing to send.
 * A gateway that loses its socket between COMMIT and sending sends it again on the next one.
 */
export function takeNext(
  pools: Pools<Database>,
  node: number,
  device: DeviceView,
  times: DeliveryTimes,
): Promise<StateHead | null> {
  return inScope(pools.gateway, { kind: "node", nodeId: node }, async (trx) => {
    // A state from before a restore is never sent: devices know that its epoch is over. One that waits
    // for an operator counts for nothing: the one before it may still have to go.
    const newest = await stateOf(trx, node, times)
      .where("epoch", "=", (of) => of.selectFrom("installation").select("epoch"))
      .where("held", "=", false)
      .orderBy("serial", "desc")
      .limit(1)
      .forUpdate()
      .executeTakeFirst();
    if (!newest) return null;
    const verdict = evaluate(newest, device, await isBusy(trx, node, newest, device, times));
    if (verdict === "nothing") return null;
    if (verdict === "deliver") await deliverState(trx, node, newest, newest.retryable);
    const { epoch, serial, sections } = newest;
    return { epoch, serial, sections };
  });
}

/** One unconfirmed state at a time: the one sent before has to end first. */
async function isBusy(
  trx: Trx,
  node: number,
  newest: StateId,
  { sent }: DeviceView,
  times: DeliveryTimes,
): Promise<boolean> {
  if (sent === null || isSame(sent, newest)) return false;
  const row = await stateOf(trx, node, times)
    .select(sql<boolean>`delivered_at > now() - ${times.silentMs} * interval '1 ms'`.as("recent"))
    .where("epoch", "=", sent.epoch)
    .where("serial", "=", sent.serial)
    .executeTakeFirst();
  return row?.recent === true && ["delivered", "applied"].includes(row.outcome);
}

/** Outcomes after which this reported outcome of a state is accepted. */
export const outcomesBefore = (reported: MessageFromEdge<"outcome">["outcome"]) =>
  // What reverts after we committed its confirmation did not get our answer.
  reported === "applied"
    ? (["delivered"] as const)
    : (["delivered", "applied", "confirmed", "superseded"] as const);

/** A state that the device runs by what it reported before: from then on only its findings change. */
const running = ["applied", "confirmed"];
const isRunning = (outcome: string): boolean => running.includes(outcome);

/**
 * Writes what a device says became of a state. Reports about a state that was not sent, or that has
 * ended already, change nothing.
 */
export function keepOutcome(
  pools: Pools<Database>,
  node: number,
  message: MessageFromEdge<"outcome">,
): Promise<void> {
  const { epoch, serial, outcome, reason, unreachable = false, stopped = false } = message;
  const { findings = [] } = message;
  return inScope(pools.gateway, { kind: "node", nodeId: node }, async (trx) => {
    const state = await trx
      .selectFrom("node_state")
      .select(["epoch", "serial", "template_id", "template_version", "outcome"])
      .where("node_id", "=", node)
      .where("epoch", "=", epoch)
      .where("serial", "=", serial)
      .where("outcome", "in", [
        ...outcomesBefore(outcome),
        ...(outcome === "applied" ? running : []),
      ])
      .where("delivered_at", "is not", null)
      .forUpdate()
      .executeTakeFirst();
    if (!state) return;
    if (outcome === "applied" && isRunning(state.outcome))
      await recordFindings(trx, node, state, findings);
    else await recordOutcome(trx, node, state, { outcome, reason, unreachable, stopped, findings });
  });
}

/**
 * Contents of a node's own sections and of the spaces that its newest states name, by hash; all other hashes are left
 * out.
 */
export function readSections(
  pools: Pools<Database>,
  node: number,
  hashes: readonly string[],
): Promise<{ hash: string; content: unknown }[]> {
  return scopedRead(pools.gateway, { kind: "node", nodeId: node }, async (trx) => {
    const { rows } = await sql<{ id: number }>`
      select distinct substr(name, ${spaceName.length + 1}::int)::bigint as id from (
        select sections from node_state where node_id = ${node} and not held
        order by epoch desc, serial desc limit ${statesUnderWay}) newest, jsonb_object_keys(sections) name
      where starts_with(name, ${spaceName})`.execute(trx);
    const spaces = rows.map(({ id }) => id);
    const contents = await readContents(trx, node, spaces, hashes);
    return [...contents].map(([hash, content]) => ({ hash, content }));
  });
}

const spaceName = "space.";
/** A device asks for sections of the newest state, or of one that was the newest a moment ago. */
const statesUnderWay = 10;
