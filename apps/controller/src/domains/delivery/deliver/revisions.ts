/**
 * Later lists of networks for states that devices run (docs/adr/0047-state-revisions.md): which ones a device gets next, and
 * what it says of those that it got. The only writer of `node_revision`. One that a device does not take becomes part of its
 * next state, with all that becomes of a state.
 */
import {
  compareStates,
  revisedHead,
  type StateId,
  type StateRevision,
} from "@weft/contract/device/v1/state.ts";
import { type Kysely, sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import { sha256 } from "#domains/delivery/publish/public.ts";
import type { DeviceView } from "./delivery.ts";

type Trx = Transaction<Database>;

/** The newest lists for a state, where they may go to its device without another one (`weft.device_lists`). */
export interface NewestLists {
  readonly revision: number;
  /** Hashes by section name, of all lists that the state names. */
  readonly lists: Readonly<Record<string, string>>;
}

/** A revision that a device was sent. */
export interface RecordedRevision {
  readonly revision: number;
  readonly digest: string;
  readonly outcome: string;
  /** Since it was sent. */
  readonly seconds: number;
}

/** Whether a digest is of one of these revisions of a state. */
const isRevised = (digest: string, recorded: readonly RecordedRevision[]): boolean =>
  recorded.some((one) => one.digest === digest);

/** What the socket knows of its device, as of a state: one that runs a revision of it runs that state. */
export const viewOfState = (
  digest: string,
  recorded: readonly RecordedRevision[],
  view: DeviceView,
): DeviceView => {
  const { running, sent } = view;
  const isOfState = running !== null && isRevised(running.digest, recorded);
  return {
    ...view,
    running: isOfState ? { ...running, digest } : running,
    sent: sent && { epoch: sent.epoch, serial: sent.serial },
  };
};

/** Whether its device did not take it. */
export const isLeft = ({ outcome }: Pick<RecordedRevision, "outcome">): boolean =>
  ["refused", "failed", "reverted"].includes(outcome);

interface Revisable extends StateId {
  readonly sections: Readonly<Record<string, string>>;
  readonly digest: string;
  readonly revised: NewestLists | null;
  readonly recorded: readonly RecordedRevision[] | null;
}

type Next =
  | { readonly verdict: "nothing"; readonly revision: null }
  | {
      /** `keep`: send it again unchanged; `deliver`: send it and record that. */
      readonly verdict: "keep" | "deliver";
      readonly revision: StateRevision & { readonly digest: string };
    };

/** What to do with the newest lists for the newest state. Pure. */
export function evaluateRevision(state: Revisable, { running, sent, isSettled }: DeviceView): Next {
  const none = { verdict: "nothing", revision: null } as const;
  const { epoch, serial, revised } = state;
  // Whatever the device runs otherwise has to become this state first. One with lists that nobody knows any more, as those of an
  // old copy of its disk, runs this state: all of them are replaced.
  if (!revised || !running || compareStates(running, { epoch, serial }) !== 0) return none;
  const { revision: number, lists } = revised;
  const recorded = state.recorded ?? [];
  const id = { epoch, serial, revision: number, sections: { ...lists } };
  const head = revisedHead(state, id);
  const digest = sha256(head);
  const isSame = Object.entries(lists).every(([name, hash]) => state.sections[name] === hash);
  if (running.digest === digest || (running.digest === state.digest && isSame)) return none;
  const revision = { ...id, digest };
  const [last] = recorded;
  if (!last || last.revision < number) return { verdict: "deliver", revision };
  // Another socket had it sent; or the device was replaced, or lost what it had confirmed.
  const isSent = sent !== null && compareStates(sent, id) === 0;
  return last.revision === number && isSettled && !isSent ? { verdict: "keep", revision } : none;
}

interface RevisionOfNode extends StateRevision {
  readonly nodeId: number;
}

const idsOf = (revisions: readonly Omit<RevisionOfNode, "sections">[]) =>
  sql`${revisions.map(({ nodeId }) => nodeId)}::bigint[],
    ${revisions.map(({ epoch }) => epoch)}::bigint[],
    ${revisions.map(({ serial }) => serial)}::bigint[],
    ${revisions.map(({ revision }) => revision)}::bigint[]`;

/** Revisions that go to their devices; those of the same state that are under way end. */
export async function deliverRevisions(
  trx: Trx,
  revisions: readonly (RevisionOfNode & { readonly digest: string })[],
): Promise<void> {
  if (revisions.length === 0) return;
  await sql`
    with moved as materialized (
      select * from unnest(${idsOf(revisions)},
          ${revisions.map(({ sections }) => JSON.stringify(sections))}::text[],
          ${revisions.map(({ digest }) => digest)}::text[])
        as m (node_id, epoch, serial, revision, lists, digest)
    ), gone as (
      update node_revision v set outcome = 'superseded', ended_at = now() from moved m
      where (v.node_id, v.epoch, v.serial) = (m.node_id, m.epoch, m.serial)
        and v.revision < m.revision and v.outcome = 'delivered')
    insert into node_revision (node_id, epoch, serial, revision, enterprise_id, lists, digest)
    select m.node_id, m.epoch, m.serial, m.revision, s.enterprise_id, m.lists::jsonb, m.digest
    from moved m join node_state s on (s.node_id, s.epoch, s.serial) = (m.node_id, m.epoch, m.serial)
    -- Another gateway had it sent at the same moment.
    on conflict do nothing`.execute(trx);
}

/** Devices run these revisions and have shown that they still reach the controller. */
export async function confirmRevisions(
  trx: Trx,
  revisions: readonly Omit<RevisionOfNode, "sections">[],
): Promise<void> {
  if (revisions.length === 0) return;
  await sql`
    update node_revision v set outcome = 'confirmed', reason = null, ended_at = now()
    from unnest(${idsOf(revisions)}) as m (node_id, epoch, serial, revision)
    where (v.node_id, v.epoch, v.serial, v.revision) = (m.node_id, m.epoch, m.serial, m.revision)`.execute(
    trx,
  );
}

/** Devices did not take these revisions, or took them back. */
export async function recordRevisions(
  trx: Trx,
  revisions: readonly (Omit<RevisionOfNode, "sections"> & {
    readonly outcome: string;
    readonly reason: string | null;
  })[],
): Promise<void> {
  if (revisions.length === 0) return;
  await sql`
    update node_revision v set outcome = m.outcome, reason = m.reason, ended_at = now()
    from unnest(${idsOf(revisions)}, ${revisions.map(({ outcome }) => outcome)}::text[],
        ${revisions.map(({ reason }) => reason)}::text[])
      as m (node_id, epoch, serial, revision, outcome, reason)
    where (v.node_id, v.epoch, v.serial, v.revision) = (m.node_id, m.epoch, m.serial, m.revision)`.execute(
    trx,
  );
}

/** Has states made for those of the nodes whose newest lists no revision will bring. */
export async function leaveRevisions(trx: Trx, nodes: readonly number[]): Promise<void> {
  if (nodes.length === 0) return;
  await sql`select weft.leave_revisions(${[...nodes]}::bigint[])`.execute(trx);
}

/**
 * Removes of states that devices run still what they were sent before what they have had for long.
 * @param keep interval
 */
export async function removeOldRevisions(db: Kysely<Database>, keep: string): Promise<void> {
  await sql`
    delete from node_revision v
    where exists (
      select from node_revision n
      where (n.node_id, n.epoch, n.serial) = (v.node_id, v.epoch, v.serial)
        and n.revision > v.revision and n.outcome = 'confirmed' and n.delivered_at < now() - ${keep}::interval)`.execute(
    db,
  );
}
