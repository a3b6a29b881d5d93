/**
 * The life of a desired state: the only place that writes the tables `node_state` and `task`, so
 * that a state and its task never part (a test of the repository's conventions proves it). Worker,
 * gateway and the calls of the API use it, each in a transaction of its own role.
 *
 *   publish -> waiting | held -> (release) waiting -> deliver -> delivered -> record: applied
 *     -> confirm: confirmed, or record: refused, failed, reverted -> (retry) waiting
 *   supersede, cancel: what waits or is under way ends for a newer one, or for an operator
 */
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import type { StateId } from "@weft/contract/device/v1/state.ts";
import {
  type StateOutcome,
  type TaskStatus,
  taskStatus,
} from "@weft/contract/domains/delivery/enums.ts";
import { type Kysely, type Selectable, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import type { StoredCause } from "#domains/delivery/schema.ts";
import type { Context } from "#kernel/api.ts";
import type {
  PublishedState,
  ReportedOutcome,
  TemplateInState,
  TemplateVersion,
} from "./inputs.ts";

type Db = Kysely<Database>;
/** The call of an operator: handlers pass the whole context on, and reach no database. */
type InCall = Pick<Context, "db">;
type StateRow = Selectable<Database["node_state"]>;
type TemplateOfState = Pick<StateRow, "template_id" | "template_version">;
const { notStarted, pulled, failed, completed, cancelled } = taskStatus;
/** Tasks that are not over. */
const open = sql`(${notStarted}, ${pulled})`;

const ofState = (db: Db, nodeId: number, { epoch, serial }: StateId) =>
  db
    .updateTable("node_state")
    .where("node_id", "=", nodeId)
    .where("epoch", "=", epoch)
    .where("serial", "=", serial);

/** A state of one of many nodes. */
interface StateOfNode extends StateId {
  readonly nodeId: number;
}

/** Each node at most once: what is under way for one decides what its next report comes to. */
const idsOf = (states: readonly StateOfNode[]) =>
  sql`${states.map(({ nodeId }) => nodeId)}::bigint[],
    ${states.map(({ epoch }) => epoch)}::bigint[], ${states.map(({ serial }) => serial)}::bigint[]`;

/**
 * Writes a new state for each of several nodes, with its task, and ends what waited there before. A state that may still
 * go is not given up for one that may never go: one that is held ends only those that were held.
 */
export async function publishStates(db: Db, states: readonly PublishedState[]): Promise<void> {
  const rows = states.map(({ head, template, ...state }) => ({
    node_id: state.nodeId,
    enterprise_id: state.enterpriseId,
    epoch: head.epoch,
    serial: head.serial,
    sections: head.sections,
    digest: state.digest,
    held: state.held,
    restores: state.restores,
    template_id: template?.templateId ?? null,
    template_version: template?.version ?? null,
    template_unmet: template?.unmet ?? null,
    cause: state.cause,
    causes: state.causes,
    created_by: state.createdBy,
  }));
  await sql`
    with waiting as materialized (
      -- All writers lock states of several nodes in this order.
      select s.node_id, s.epoch, s.serial
      from unnest(${rows.map(({ node_id }) => node_id)}::bigint[], ${rows.map(({ held }) => held)}::boolean[])
        as w (node_id, held)
      join node_state s on s.node_id = w.node_id
        and (s.outcome = 'held' or s.outcome = 'waiting' and not w.held)
      order by s.node_id, s.epoch, s.serial
      for update of s
    ), gone as (
      update node_state s set outcome = 'superseded', ended_at = now() from waiting w
      where (s.node_id, s.epoch, s.serial) = (w.node_id, w.epoch, w.serial)
      returning s.node_id, s.epoch, s.serial)
    update task t set status = ${cancelled}, updated_at = now() from gone
    where t.node_id = gone.node_id and t.type = 'state' and t.epoch = gone.epoch
      and t.serial = gone.serial and t.status in ${open}`.execute(db);
  await sql`
    with made as (
      insert into node_state (node_id, enterprise_id, epoch, serial, sections, digest, outcome, held, restores,
        template_id, template_version, template_unmet, cause, causes, created_by)
      select node_id, enterprise_id, epoch, serial, sections, digest,
        case when held then 'held' else 'waiting' end, held, restores, template_id, template_version,
        nullif(template_unmet, 'null'::jsonb), cause, causes, created_by
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as w (node_id bigint, enterprise_id bigint,
        epoch bigint, serial bigint, sections jsonb, digest text, held boolean, restores bigint, template_id bigint,
        template_version integer, template_unmet jsonb, cause text, causes jsonb, created_by bigint)
      returning node_id, enterprise_id, epoch, serial, cause, created_by)
    insert into task (enterprise_id, node_id, type, epoch, serial, content, created_by)
    select enterprise_id, node_id, 'state', epoch, serial, cause, created_by from made`.execute(db);
}

/** Changes that a state keeps as its causes. */
const maxCauses = 500;

/** More changes lead to states that wait for an operator: they count when these are weighed again. */
export async function addCauses(
  db: Db,
  states: readonly (StateOfNode & { readonly causes: readonly StoredCause[] })[],
): Promise<void> {
  const more = states.filter(({ causes }) => causes.length > 0);
  if (more.length === 0) return;
  const causes = more.map((one) => JSON.stringify(one.causes));
  await sql`
    update node_state s set causes = s.causes || m.causes::jsonb
    from unnest(${idsOf(more)}, ${causes}::text[]) as m (node_id, epoch, serial, causes)
    where (s.node_id, s.epoch, s.serial) = (m.node_id, m.epoch, m.serial)
      and jsonb_array_length(s.causes) < ${maxCauses}`.execute(db);
}

/**
 * Ends states for a newer one, and their tasks.
 * @param before only those older than this one
 */
async function supersedeStates(
  db: Db,
  nodeId: number,
  outcomes: readonly StateOutcome[],
  before?: StateId,
): Promise<void> {
  const older = before
    ? sql`and (epoch, serial) < (${before.epoch}::bigint, ${before.serial}::bigint)`
    : sql``;
  await sql`
    with gone as (
      update node_state set outcome = 'superseded', ended_at = now()
      where node_id = ${nodeId} and outcome = any(${[...outcomes]}::text[]) ${older}
      returning epoch, serial)
    update task t set status = ${cancelled}, updated_at = now() from gone
    where t.node_id = ${nodeId} and t.type = 'state' and t.epoch = gone.epoch
      and t.serial = gone.serial and t.status in ${open}`.execute(db);
}

/** Lets a held state go; what waited before it is never sent. */
export async function releaseState({ db }: InCall, nodeId: number, state: StateId): Promise<void> {
  await ofState(db, nodeId, state).set({ outcome: "waiting", held: false }).execute();
  await supersedeStates(db, nodeId, ["waiting"], state);
}

/** States that go to their devices, once more those that are a retry; older ones have ended by that. */
export async function deliverStates(
  db: Db,
  states: readonly (StateOfNode & { readonly isRetry: boolean })[],
): Promise<void> {
  if (states.length === 0) return;
  await sql`
    with moved as materialized (
      select * from unnest(${idsOf(states)}, ${states.map(({ isRetry }) => isRetry)}::boolean[])
        as m (node_id, epoch, serial, is_retry)
    ), delivered as (
      update node_state s set outcome = 'delivered', delivered_at = now(), ended_at = null,
        reason = null, unreachable = false, stopped = false, retries = s.retries + m.is_retry::int
      from moved m where (s.node_id, s.epoch, s.serial) = (m.node_id, m.epoch, m.serial)
    ), ${supersedeOlder(["waiting", "delivered", "applied"])}, ${followStates(pulled)}
    select`.execute(db);
}

/** Writes outcomes of states that devices reported. */
export async function recordOutcomes(
  db: Db,
  states: readonly (StateOfNode & { readonly was: string; readonly reported: ReportedOutcome })[],
): Promise<void> {
  if (states.length === 0) return;
  const reported = states.map((state) => state.reported);
  await sql`
    with told as materialized (
      select * from unnest(${idsOf(states)}, ${states.map(({ was }) => was)}::text[],
          ${reported.map(({ outcome }) => outcome)}::text[],
          ${reported.map(({ reason }) => reason)}::text[],
          ${reported.map(({ unreachable }) => unreachable)}::boolean[],
          ${reported.map(({ stopped }) => stopped)}::boolean[],
          ${reported.map(({ findings }) => JSON.stringify(findings))}::text[])
        as m (node_id, epoch, serial, was, outcome, reason, unreachable, stopped, findings)
    ), moved as materialized (
      select * from told where outcome <> 'applied'
    ), recorded as (
      update node_state s set outcome = m.outcome, reason = m.reason, findings = m.findings::jsonb,
        ended_at = case when m.outcome = 'applied' then s.ended_at else now() end,
        unreachable = case when m.outcome = 'applied' then s.unreachable else m.unreachable end,
        stopped = case when m.outcome = 'applied' then s.stopped else m.stopped end
      from told m where (s.node_id, s.epoch, s.serial) = (m.node_id, m.epoch, m.serial)
    ), ${followStates(failed)}, ${failTakenBack}
    select`.execute(db);
}

/** What of states that devices run does not act now. */
export async function recordFindings(
  db: Db,
  states: readonly (StateOfNode & { readonly findings: readonly Finding[] })[],
): Promise<void> {
  if (states.length === 0) return;
  const findings = states.map((state) => JSON.stringify(state.findings));
  await sql`
    update node_state s set findings = m.findings::jsonb
    from unnest(${idsOf(states)}, ${findings}::text[]) as m (node_id, epoch, serial, findings)
    where (s.node_id, s.epoch, s.serial) = (m.node_id, m.epoch, m.serial)`.execute(db);
}

/** Devices run these states and have shown that they still reach the controller. */
export async function confirmStates(db: Db, states: readonly StateOfNode[]): Promise<void> {
  if (states.length === 0) return;
  await sql`
    with moved as materialized (
      select * from unnest(${idsOf(states)}) as m (node_id, epoch, serial)
    ), confirmed as (
      update node_state s set outcome = 'confirmed', reason = null, ended_at = now()
      from moved m where (s.node_id, s.epoch, s.serial) = (m.node_id, m.epoch, m.serial)
    -- What was sent before and never reported on.
    ), ${supersedeOlder(["delivered", "applied"])}, ${followStates(completed)}
    select`.execute(db);
}

/** Parts of a statement that moves the states of `moved`: ends those before them, and their tasks. */
const supersedeOlder = (outcomes: readonly StateOutcome[]) => sql`
  gone as (
    update node_state s set outcome = 'superseded', ended_at = now() from moved m
    where s.node_id = m.node_id and (s.epoch, s.serial) < (m.epoch, m.serial)
      and s.outcome = any(${[...outcomes]}::text[])
    returning s.node_id, s.epoch, s.serial
  ), gone_tasks as (
    update task t set status = ${cancelled}, updated_at = now() from gone g
    where t.node_id = g.node_id and t.type = 'state' and t.epoch = g.epoch
      and t.serial = g.serial and t.status in ${open}
  )`;

/**
 * An operator gives up a state that was not sent.
 * @returns false when a gateway was faster
 */
export async function cancelState(
  { db }: InCall,
  task: Pick<Selectable<Database["task"]>, "id" | "node_id" | "epoch" | "serial">,
  by: string,
): Promise<boolean> {
  const { node_id: nodeId, epoch, serial } = task;
  if (epoch === null || serial === null) return false;
  const state = await ofState(db, nodeId, { epoch, serial })
    .set({ outcome: "superseded", ended_at: sql`now()`, reason: by })
    .where("outcome", "in", ["waiting", "held"])
    .executeTakeFirstOrThrow();
  if (state.numUpdatedRows === 0n) return false;
  await db
    .updateTable("task")
    .set({ status: cancelled, updated_at: sql`now()` })
    .where("id", "=", task.id)
    .execute();
  return true;
}

/** An operator has a blocked state sent once more, and the issue that failed with it. */
export async function retryState(
  { db }: InCall,
  nodeId: number,
  state: StateId & TemplateOfState & Pick<StateRow, "retries">,
): Promise<void> {
  const { epoch, serial, template_id: template, template_version: version } = state;
  await ofState(db, nodeId, state)
    .set({
      outcome: "waiting",
      reason: null,
      unreachable: false,
      stopped: false,
      ended_at: null,
      retries: state.retries + 1,
    })
    .execute();
  await sql`
    update task set status = ${notStarted}, unmet = null, updated_at = now()
    where node_id = ${nodeId} and (epoch = ${epoch} and serial = ${serial}
      or type = 'template' and template_id = ${template} and template_version = ${version}
        and status = ${failed})`.execute(db);
}

/** Task state of an issue whose version is in a state with this outcome. */
const issueStatus: Readonly<Record<string, TaskStatus>> = {
  delivered: pulled,
  applied: pulled,
  confirmed: completed,
  refused: failed,
  failed,
  reverted: failed,
};

/**
 * The newest states of nodes equal what versions ask for: each contains that version from now on,
 * and a task of it is as far as that state is. It is over immediately when the device runs it already.
 * Also for a version that it contained before, of which more or less acts now.
 */
export async function adoptVersions(
  db: Db,
  states: readonly (CurrentState & { readonly template: TemplateInState | null })[],
): Promise<void> {
  if (states.length === 0) return;
  const templates = states.map(({ template }) => template);
  await sql`
    update node_state s set template_id = m.template_id, template_version = m.template_version,
      template_unmet = m.template_unmet::jsonb
    from unnest(${idsOf(states)}, ${templates.map((template) => template?.templateId ?? null)}::bigint[],
        ${templates.map((template) => template?.version ?? null)}::integer[],
        ${templates.map((template) => (template?.unmet ? JSON.stringify(template.unmet) : null))}::text[])
      as m (node_id, epoch, serial, template_id, template_version, template_unmet)
    where (s.node_id, s.epoch, s.serial) = (m.node_id, m.epoch, m.serial)`.execute(db);
  await settleIssues(
    db,
    states.filter(({ template }) => template !== null),
  );
}

/** The newest state of a node. */
type CurrentState = StateOfNode & Pick<StateRow, "outcome">;

/**
 * Tasks of the versions that the newest states of nodes contain are as far as those states are, also one that was
 * opened after the state: a rollback to a version that never left, or a version of which nothing reaches the node.
 */
export async function settleIssues(db: Db, states: readonly CurrentState[]): Promise<void> {
  const ended = Map.groupBy(states, ({ outcome }) => issueStatus[outcome]);
  for (const [status, some] of ended) {
    if (status === undefined) continue;
    await sql`
      with moved as (
        select * from unnest(${idsOf(some)}) as m (node_id, epoch, serial)
      ), ${followIssues(status)}
      select`.execute(db);
  }
}

/** One task for each member of an issue, not started. */
export async function openIssueTasks(
  db: Db,
  members: readonly { readonly node_id: number; readonly node_enterprise_id: number }[],
  issue: TemplateVersion & { readonly name: string; readonly createdBy: number },
): Promise<void> {
  const { templateId, version, name, createdBy } = issue;
  await sql`
    insert into task (enterprise_id, node_id, type, content, template_id, template_version, created_by)
    select enterprise_id, node_id, 'template', ${`${name} #${version}`}, ${templateId}, ${version},
      ${createdBy}
    from unnest(${members.map(({ node_enterprise_id }) => node_enterprise_id)}::bigint[],
      ${members.map(({ node_id }) => node_id)}::bigint[]) as m (enterprise_id, node_id)`.execute(
    db,
  );
}

/** Ends the issues that wait for these nodes: a newer one or a removal took their place. */
export async function cancelIssueTasks(db: Db, nodeIds: readonly number[]): Promise<void> {
  if (nodeIds.length === 0) return;
  await sql`
    update task set status = ${cancelled}, updated_at = now()
    where type = 'template' and node_id = any(${[...nodeIds]}::bigint[])
      and status in ${open}`.execute(db);
}

/**
 * Removes states of a node that are older than these spans, with their tasks. The last confirmed
 * one and what came after it stay, however old they are, and so does the one that it is held at.
 */
export async function removeOldStates(
  db: Db,
  nodeId: number,
  keep: { readonly confirmed: string; readonly others: string },
): Promise<void> {
  await sql`
    with gone as (
      delete from node_state s where node_id = ${nodeId}
        and created_at < now() - case when outcome = 'confirmed'
          then ${keep.confirmed}::interval else ${keep.others}::interval end
        and exists (
          select from node_state n where n.node_id = s.node_id and n.outcome = 'confirmed'
            and (n.epoch, n.serial) > (s.epoch, s.serial))
        and not exists (select from node_pin p where p.node_id = s.node_id
          and p.epoch = s.epoch and p.serial = s.serial)
      returning epoch, serial)
    delete from task t using gone
    where t.node_id = ${nodeId} and t.epoch = gone.epoch and t.serial = gone.serial`.execute(db);
}

/**
 * Ends every state of the installation that is under way, with its task: after a restore it is
 * not known what devices run. A text for the owner's connection, which has no role of ours.
 */
export const supersedeEverything = `
  update weft.node_state set outcome = 'superseded', ended_at = now()
  where outcome in ('waiting', 'delivered', 'applied');
  update weft.task set status = ${cancelled}, updated_at = now()
  where type = 'state' and status in (${notStarted}, ${pulled})`;

/** Parts of a statement: what the states of `moved` have come to holds for their own tasks, and for their issues. */
const followStates = (status: TaskStatus) => sql`
  tasks as (
    update task t set status = ${status}, updated_at = now() from moved m
    where t.node_id = m.node_id and t.type = 'state' and t.epoch = m.epoch and t.serial = m.serial
      ${
        // What was cancelled stays so, even when the device was busy with it and confirms.
        status === completed ? sql`and t.status in ${open}` : sql``
      }
  ), ${followIssues(status)}`;

/**
 * Part of a statement: whichever state of `moved` brings a version to a device ends its task (design section 3.4): completed
 * when every object acts there, if only in part, and failed otherwise. An issue that failed in one state may still
 * arrive with the next; one that arrived is evaluated again with each state that is confirmed after it.
 */
function followIssues(status: TaskStatus) {
  const arrived = status === completed ? sql`, ${completed}::int` : sql``;
  return sql`
    versions as (
      select s.node_id, s.template_id, s.template_version,
        ${status === completed ? sql`s.template_unmet` : sql`null::jsonb`} as unmet
      from moved m join node_state s
        on (s.node_id, s.epoch, s.serial) = (m.node_id, m.epoch, m.serial)
      where s.template_id is not null
    ), ended as (
      select *, case when (unmet ->> 'cannot')::int > 0 then ${failed}::int
        else ${status}::int end as status
      from versions
    ), issues as (
      update task t set status = e.status, unmet = e.unmet,
        updated_at = case when t.status = e.status then t.updated_at else now() end
      from ended e
      where t.node_id = e.node_id and t.type = 'template' and t.template_id = e.template_id
        and t.template_version = e.template_version
        and t.status in (${notStarted}, ${pulled}, ${failed} ${arrived})
        and (t.status, t.unmet) is distinct from (e.status, e.unmet)
    )`;
}

/**
 * Part of a statement: devices took back what they had confirmed: the issue that such a state had completed has failed,
 * unless the state that the device runs again contains the same version.
 */
const failTakenBack = sql`
  taken_back as (
    update task t set status = ${failed}, unmet = null, updated_at = now()
    from moved m join node_state s
      on (s.node_id, s.epoch, s.serial) = (m.node_id, m.epoch, m.serial)
    where m.was = 'confirmed' and t.node_id = m.node_id and t.type = 'template'
      and t.template_id = s.template_id and t.template_version = s.template_version
      and t.status = ${completed}
      and (t.template_id, t.template_version) is distinct from (
        select row (r.template_id, r.template_version) from node_state r
        where r.node_id = m.node_id and r.outcome = 'confirmed'
          and (r.epoch, r.serial) <> (m.epoch, m.serial)
        order by r.epoch desc, r.serial desc limit 1)
  )`;

/** Of the demonstration: dates the states of a node back, the newest to that time and those changes, others a day each. */
export async function dateBack(db: Db, nodeId: number, at: Date, causes: readonly StoredCause[]) {
  const then = sql`${at}::timestamptz - (n.newest - s.serial) * interval '1 day'`;
  await sql`update node_state s set created_at = ${then}, delivered_at = ${then}, ended_at = ${then},
      causes = case when s.serial = n.newest then ${JSON.stringify(causes)}::jsonb else s.causes end
    from (select max(serial) as newest from node_state where node_id = ${nodeId}) n
    where s.node_id = ${nodeId}`.execute(db);
}
