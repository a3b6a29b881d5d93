/**
 * What devices are sent and what they report of it, of any number of nodes in one transaction: their states are read and
 * locked by one statement, each request is decided by the rules for one, and what they come to is written by one
 * statement for each kind.
 */
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import {
  compareStates,
  type StateHead,
  type StateId,
  type StateRevision,
  stateIdOf,
} from "@weft/contract/device/v1/state.ts";
import { sql, type Transaction } from "kysely";
import { inScope, type Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import {
  confirmStates,
  deliverStates,
  recordFindings,
  recordOutcomes,
} from "#domains/delivery/lifecycle/public.ts";
import { type ConfirmRequest, decideConfirm, NotConfirmable } from "./confirm.ts";
import { type DeliveryTimes, type DeviceView, evaluate, outcomeChanges } from "./delivery.ts";
import {
  confirmRevisions,
  deliverRevisions,
  evaluateRevision,
  isLeft,
  leaveRevisions,
  type NewestLists,
  type RecordedRevision,
  recordRevisions,
  viewOfState,
} from "./revisions.ts";

type Trx = Transaction<Database>;
type Outcome = MessageFromEdge<"outcome">;

interface NextRequest {
  readonly kind: "next";
  readonly node: number;
  readonly view: DeviceView;
  readonly times: DeliveryTimes;
}

/** What a gateway writes for a device with an open socket. */
export type DeliveryRequest =
  | NextRequest
  | { readonly kind: "outcome"; readonly node: number; readonly message: Outcome }
  | { readonly kind: "confirm"; readonly node: number; readonly confirm: ConfirmRequest };

export interface DeliveryAnswer {
  /**
   * Of "next": the head to send now, marked as delivered and committed; null when there is nothing to send. A gateway
   * that loses its socket between COMMIT and sending sends it again on the next one. Of a revision only its lists.
   */
  readonly head: StateHead | StateRevision | null;
  /** Of "confirm": seconds since the state was sent to the device; null: it was confirmed before. */
  readonly seconds: number | null;
}

/** "locked": others write its states now, nothing of it is written. */
type Settled =
  | { readonly isDone: true; readonly answer: DeliveryAnswer }
  | { readonly isDone: false; readonly error: NotConfirmable }
  | "locked";

/** Ms that a transaction of many nodes waits for what others write: all its nodes wait with it. */
const lockTimeoutMs = 50;

/**
 * @param requests of different nodes
 * @param isAlone waits for states that others write now
 * @returns what became of each, in their order, once it is committed
 */
export function keepDeliveries(
  pools: Pools<Database>,
  requests: readonly DeliveryRequest[],
  isAlone: boolean,
): Promise<readonly Settled[]> {
  const scope = { kind: "nodes", nodeIds: requests.map(({ node }) => node) } as const;
  return inScope(
    pools.gateway,
    scope,
    async (trx) => {
      const statesOfRequests = await lockStates(trx, requests, isAlone);
      const decided = requests.map((request, at) =>
        decide(request, statesOfRequests[at] ?? noStates),
      );
      await deliverStates(
        trx,
        decided.flatMap(({ delivers = [] }) => delivers),
      );
      await recordOutcomes(
        trx,
        decided.flatMap(({ records = [] }) => records),
      );
      await recordFindings(
        trx,
        decided.flatMap(({ finds = [] }) => finds),
      );
      await deliverRevisions(
        trx,
        decided.flatMap(({ revises = [] }) => revises),
      );
      await recordRevisions(
        trx,
        decided.flatMap(({ leaves = [] }) => leaves),
      );
      await keepConfirmations(
        trx,
        decided.flatMap(({ confirms = [] }) => confirms),
      );
      await leaveRevisions(trx, decided.flatMap(nodesThatEnded));
      return decided.map(({ settled }) => settled);
    },
    isAlone ? {} : { lockTimeoutMs },
  );
}

/** A state of a node as a request looks at it. */
interface StateRow extends StateId {
  /** The one that the request is about. */
  readonly isTarget: boolean;
  readonly isLocked: boolean;
  readonly sections: Record<string, string>;
  readonly digest: string;
  readonly outcome: string;
  readonly isSent: boolean;
  readonly isRecent: boolean;
  readonly retryable: boolean;
  /** Since it was sent. */
  readonly seconds: number | null;
  /** The newest lists for it, where it is confirmed and the request is for what comes next; null: none. */
  readonly revised: NewestLists | null;
  /** Revisions of the target: the last one that the device was sent, then the one that it runs; of a request about one that one. */
  readonly recorded: readonly RecordedRevision[] | null;
}

/** The state that a request is about, and those of its node that are under way. */
interface StatesOfRequest {
  readonly target: StateRow | null;
  readonly open: readonly StateRow[];
  readonly isLocked: boolean;
}

const noStates: StatesOfRequest = { target: null, open: [], isLocked: true };

const aboutOf = (request: DeliveryRequest): StateId | null => {
  if (request.kind === "next") return null;
  return request.kind === "outcome" ? request.message : request.confirm;
};

/**
 * Reads and locks what the requests are about: a state that a device names, or the newest one that may be sent; and the
 * states under way, which end with it.
 * A state from before a restore is never sent: devices know that its epoch is over. One that waits for an operator counts
 * for nothing: the one before it may still have to go.
 */
async function lockStates(
  trx: Trx,
  requests: readonly DeliveryRequest[],
  isAlone: boolean,
): Promise<StatesOfRequest[]> {
  const about = requests.map(aboutOf);
  const times = requests.map((request) => (request.kind === "next" ? request.times : null));
  const running = requests.map((request) =>
    request.kind === "next" ? (request.view.running?.digest ?? null) : null,
  );
  const { rows } = await sql<StateRow & { readonly turn: number }>`
    with requested as materialized (
      select * from unnest(${requests.map(({ node }) => node)}::bigint[],
          ${about.map((id) => id?.epoch ?? null)}::bigint[],
          ${about.map((id) => id?.serial ?? null)}::bigint[],
          ${about.map((id) => id?.revision ?? null)}::bigint[],
          ${running}::text[],
          ${times.map((time) => time?.silentMs ?? 0)}::double precision[],
          ${times.map((time) => time?.retryAfterMs ?? 0)}::double precision[],
          ${times.map((time) => time?.retryAfterStopMs ?? 0)}::double precision[])
        with ordinality as a (node_id, epoch, serial, revision, running, silent_ms, silence_ms, stop_ms, turn)
    ), target as materialized (
      select a.turn, a.node_id, coalesce(a.epoch, n.epoch) as epoch,
        coalesce(a.serial, n.serial) as serial, a.serial is null as is_next, a.revision,
        a.running, a.silent_ms, a.silence_ms, a.stop_ms
      from requested a left join lateral (
        select s.epoch, s.serial from node_state s
        where a.serial is null and s.node_id = a.node_id and not s.held
          and s.epoch = (select epoch from installation)
          -- Of a node that was moved the states before are the former enterprise's.
          and not exists (select from node_status d
            where d.node_id = a.node_id and d.enterprise_id <> s.enterprise_id)
        order by s.serial desc limit 1) n on true
    ), wanted as materialized (
      select t.*, s.epoch as of_epoch, s.serial as of_serial
      from target t join node_state s on s.node_id = t.node_id
        and ((s.epoch, s.serial) = (t.epoch, t.serial)
          or s.outcome in ('waiting', 'delivered', 'applied'))
    ), locked as materialized (
      select w.turn, s.epoch, s.serial, s.sections, s.digest, s.outcome,
        s.delivered_at is not null as sent,
        coalesce(s.delivered_at > now() - w.silent_ms * interval '1 ms', false) as recent,
        weft.is_retry_due(s, w.silence_ms * interval '1 ms', w.stop_ms * interval '1 ms')
          as retryable,
        extract(epoch from clock_timestamp() - s.delivered_at)::float8 as seconds,
        case when (s.epoch, s.serial) = (w.epoch, w.serial)
          then array(
            select jsonb_build_object('revision', v.revision, 'digest', v.digest, 'outcome', v.outcome,
              'seconds', extract(epoch from clock_timestamp() - v.delivered_at))
            from node_revision v where (v.node_id, v.epoch, v.serial) = (s.node_id, s.epoch, s.serial)
              -- However many were sent that it never got, or whose confirmation it did not get.
              and (v.revision = w.revision or w.is_next and (v.digest = w.running or v.revision = (
                select max(o.revision) from node_revision o
                where (o.node_id, o.epoch, o.serial) = (s.node_id, s.epoch, s.serial))))
            order by v.revision desc) end as recorded
      from wanted w join node_state s
        on (s.node_id, s.epoch, s.serial) = (w.node_id, w.of_epoch, w.of_serial)
      order by s.node_id, s.epoch, s.serial
      for update of s ${isAlone ? sql`` : sql`skip locked`}
    )
    select w.turn::int as turn, w.of_epoch as epoch, w.of_serial as serial,
      (w.of_epoch, w.of_serial) = (w.epoch, w.serial) as "isTarget",
      l.turn is null as "isLocked", l.sections, l.digest, l.outcome, l.sent as "isSent",
      l.recent as "isRecent", coalesce(l.retryable, false) as retryable, l.seconds,
      case when d.revision is not null
        then jsonb_build_object('revision', d.revision, 'lists', d.lists) end as revised,
      to_jsonb(l.recorded) as recorded
    from wanted w left join locked l
      on (l.turn, l.epoch, l.serial) = (w.turn, w.of_epoch, w.of_serial)
    left join weft.device_lists(array(select t.node_id from target t where t.is_next)) d
      on (d.node_id, d.epoch, d.serial) = (w.node_id, l.epoch, l.serial) and l.outcome = 'confirmed' and w.is_next`.execute(
    trx,
  );
  const byTurn = Map.groupBy(rows, ({ turn }) => turn);
  return requests.map((_request, at) => {
    const own = byTurn.get(at + 1) ?? [];
    return {
      target: own.find(({ isTarget }) => isTarget) ?? null,
      open: own.filter(({ outcome }) => outcome === "delivered" || outcome === "applied"),
      isLocked: own.some(({ isLocked }) => isLocked),
    };
  });
}

type Rows<Write extends (trx: Trx, rows: never) => unknown> = Parameters<Write>[1];

/** What a request comes to, and what it writes. */
interface Decision {
  readonly settled: Settled;
  readonly delivers?: Rows<typeof deliverStates>;
  readonly records?: Rows<typeof recordOutcomes>;
  readonly finds?: Rows<typeof recordFindings>;
  readonly confirms?: readonly Confirmation[];
  readonly revises?: Rows<typeof deliverRevisions>;
  /** Revisions that devices did not take. */
  readonly leaves?: Rows<typeof recordRevisions>;
}

/** Nodes of states that ended badly, and of revisions that ended in any way. */
const nodesThatEnded = ({ records = [], leaves = [], confirms = [] }: Decision): number[] =>
  [
    ...records.filter(({ reported }) => reported.outcome !== "applied"),
    ...leaves,
    ...confirms.filter(({ revision }) => revision !== undefined),
  ].map(({ nodeId }) => nodeId);

const nothing: DeliveryAnswer = { head: null, seconds: null };
const done = (answer: DeliveryAnswer): Settled => ({ isDone: true, answer });

function decide(request: DeliveryRequest, statesOfRequest: StatesOfRequest): Decision {
  if (statesOfRequest.isLocked) return { settled: "locked" };
  if (request.kind === "next") return decideNext(request, statesOfRequest);
  return request.kind === "outcome"
    ? decideOutcome(request.node, request.message, statesOfRequest.target)
    : decideConfirmation(request.node, request.confirm, statesOfRequest.target);
}

function decideNext({ node, view }: NextRequest, { target, open }: StatesOfRequest): Decision {
  if (!target) return { settled: done(nothing) };
  const state = viewOfState(target.digest, target.recorded ?? [], view);
  const verdict = evaluate(target, state, isBusy(target, open, state));
  const { epoch, serial, sections, retryable } = target;
  if (verdict === "nothing") return decideRevision(node, target, view);
  const settled = done({ head: { epoch, serial, sections }, seconds: null });
  if (verdict === "keep") return { settled };
  return { settled, delivers: [{ nodeId: node, epoch, serial, isRetry: retryable }] };
}

function decideRevision(node: number, target: StateRow, view: DeviceView): Decision {
  const { verdict, revision } = evaluateRevision(target, view);
  if (verdict === "nothing") return { settled: done(nothing) };
  const { digest, ...head } = revision;
  const settled = done({ head, seconds: null });
  return verdict === "keep"
    ? { settled }
    : { settled, revises: [{ nodeId: node, ...head, digest }] };
}

/** One unconfirmed state at a time: the one sent before has to end first. */
function isBusy(newest: StateId, open: readonly StateRow[], { sent }: DeviceView): boolean {
  if (sent === null || compareStates(sent, newest) === 0) return false;
  return open.some((state) => compareStates(state, sent) === 0 && state.isRecent);
}

function decideOutcome(node: number, message: Outcome, target: StateRow | null): Decision {
  const { outcome, reason, unreachable = false, stopped = false, findings = [] } = message;
  const settled = done(nothing);
  if (!target) return { settled };
  const state = { nodeId: node, epoch: target.epoch, serial: target.serial };
  if (message.revision !== undefined && outcome !== "applied") {
    const [recorded] = target.recorded ?? [];
    if (!recorded || isLeft(recorded)) return { settled };
    return { settled, leaves: [{ ...state, revision: recorded.revision, outcome, reason }] };
  }
  const changes = outcomeChanges(target, outcome);
  if (changes === null) return { settled };
  // What does not act is known of the state, whichever revision of it runs.
  if (changes === "findings") return { settled, finds: [{ ...state, findings }] };
  if (message.revision !== undefined) return { settled };
  const reported = { outcome, reason, unreachable, stopped, findings };
  return { settled, records: [{ ...state, was: target.outcome, reported }] };
}

interface Confirmation extends StateId {
  readonly nodeId: number;
  readonly digest: string;
}

function decideConfirmation(
  node: number,
  { digest, revision }: ConfirmRequest,
  target: StateRow | null,
): Decision {
  const [recorded] = target?.recorded ?? [];
  const sent = revision === undefined ? target : recorded && { ...recorded, isSent: true };
  try {
    if (!decideConfirm(sent ?? null, digest) || !target || !sent) return { settled: done(nothing) };
  } catch (error) {
    if (error instanceof NotConfirmable) return { settled: { isDone: false, error } };
    throw error;
  }
  const id = stateIdOf({ epoch: target.epoch, serial: target.serial, revision });
  return {
    settled: done({ head: null, seconds: sent.seconds }),
    confirms: [{ nodeId: node, ...id, digest }],
  };
}

/** Writes confirmations, what follows from them for older states and tasks, and what the devices run. */
async function keepConfirmations(trx: Trx, states: readonly Confirmation[]): Promise<void> {
  if (states.length === 0) return;
  await confirmStates(
    trx,
    states.filter(({ revision }) => revision === undefined),
  );
  await confirmRevisions(
    trx,
    states.flatMap(({ revision, ...state }) =>
      revision === undefined ? [] : [{ ...state, revision }],
    ),
  );
  await sql`
    update node_status s set running_epoch = m.epoch, running_serial = m.serial,
      running_digest = m.digest
    from unnest(${states.map(({ nodeId }) => nodeId)}::bigint[],
        ${states.map(({ epoch }) => epoch)}::bigint[],
        ${states.map(({ serial }) => serial)}::bigint[],
        ${states.map(({ digest }) => digest)}::text[]) as m (node_id, epoch, serial, digest)
    where s.node_id = m.node_id`.execute(trx);
}
