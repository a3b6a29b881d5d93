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
import type { PublishedState, TemplateInState, TemplateVersion, ToldOutcome } from "./inputs.ts";

type Db = Kysely<Database>;
/** The call of an operator: handlers pass the whole context on, and reach no database. */
type InCall = Pick<Context, "db">;
type StateRow = Selectable<Database["node_state"]>;
type TemplateOfState = Pick<StateRow, "template_id" | "template_version">;
const { notStarted, pulled, failed, completed, cancelled } = taskStatus;
/** Tasks that are not over. */
const open = sql`(${notStarted}, ${pulled})`;

/** Columns of a state about its template. */
const ofTemplate = (template: TemplateInState | null) => ({
  template_id: template?.templateId ?? null,
  template_version: template?.version ?? null,
  template_unmet: template?.unmet ? JSON.stringify(template.unmet) : null,
});

const ofState = (db: Db, nodeId: number, { epoch, serial }: StateId) =>
  db
    .updateTable("node_state")
    .where("node_id", "=", nodeId)
    .where("epoch", "=", epoch)
    .where("serial", "=", serial);

/** Writes a new state with its task. */
export async function publishState(db: Db, state: PublishedState): Promise<void> {
  const { nodeId, enterpriseId, head, cause, createdBy, template } = state;
  const { epoch, serial } = head;
  const common = { node_id: nodeId, enterprise_id: enterpriseId, epoch, serial };
  await db
    .insertInto("node_state")
    .values({
      ...common,
      sections: JSON.stringify(head.sections),
      digest: state.digest,
      outcome: state.held ? "held" : "waiting",
      held: state.held,
      restores: state.restores,
      ...ofTemplate(template),
      cause,
      causes: JSON.stringify(state.causes),
      created_by: createdBy,
    })
    .execute();
  await db
    .insertInto("task")
    .values({ ...common, type: "state", content: cause, created_by: createdBy })
    .execute();
}

/**
 * Writes a new state for each of several nodes, with its task, and ends what waited there before: as `publishState`,
 * in two statements for all of them.
 */
export async function publishStates(db: Db, states: readonly PublishedState[]): Promise<void> {
  const rows = states.map(({ head, template, ...state }) => ({
    node_id: state.nodeId,
    enterprise_id: state.enterpriseId,
    epoch: head.epoch,
    serial: head.serial,
    sections: head.sections,
    digest: state.digest,
    restores: state.restores,
    template_id: template?.templateId ?? null,
    template_version: template?.version ?? null,
    template_unmet: template?.unmet ?? null,
    cause: state.cause,
    causes: state.causes,
    created_by: state.createdBy,
  }));
  const texts = JSON.stringify(rows);
  await sql`
    with gone as (
      update node_state s set outcome = 'superseded', ended_at = now()
      from jsonb_to_recordset(${texts}::jsonb) as w (node_id bigint)
      where s.node_id = w.node_id and s.outcome in ('waiting', 'held')
      returning s.node_id, s.epoch, s.serial)
    update task t set status = ${cancelled}, updated_at = now() from gone
    where t.node_id = gone.node_id and t.type = 'state' and t.epoch = gone.epoch
      and t.serial = gone.serial and t.status in ${open}`.execute(db);
  await sql`
    with made as (
      insert into node_state (node_id, enterprise_id, epoch, serial, sections, digest, restores, template_id,
        template_version, template_unmet, cause, causes, created_by)
      select node_id, enterprise_id, epoch, serial, sections, digest, restores, template_id, template_version,
        nullif(template_unmet, 'null'::jsonb), cause, causes, created_by
      from jsonb_to_recordset(${texts}::jsonb) as w (node_id bigint, enterprise_id bigint, epoch bigint,
        serial bigint, sections jsonb, digest text, restores bigint, template_id bigint, template_version integer,
        template_unmet jsonb, cause text, causes jsonb, created_by bigint)
      returning node_id, enterprise_id, epoch, serial, cause, created_by)
    insert into task (enterprise_id, node_id, type, epoch, serial, content, created_by)
    select enterprise_id, node_id, 'state', epoch, serial, cause, created_by from made`.execute(db);
}

/** Changes that a state keeps as its causes. */
const maxCauses = 500;

/** More changes lead to a state that waits for an operator: they count when it is weighed again. */
export async function addCauses(
  db: Db,
  nodeId: number,
  state: StateId,
  causes: readonly StoredCause[],
): Promise<void> {
  if (causes.length === 0) return;
  await ofState(db, nodeId, state)
    .set({ causes: sql`causes || ${JSON.stringify(causes)}::jsonb` })
    .where(sql<boolean>`jsonb_array_length(causes) < ${maxCauses}`)
    .execute();
}

/**
 * Ends states for a newer one, and their tasks.
 * @param before only those older than this one
 */
export async function supersedeStates(
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

type Sent = StateId & TemplateOfState & Pick<StateRow, "retries">;

/** A state goes to its device, once more when `isRetry`; older ones have ended by that. */
export async function deliverState(
  db: Db,
  nodeId: number,
  state: Sent,
  isRetry: boolean,
): Promise<void> {
  await ofState(db, nodeId, state)
    .set({
      outcome: "delivered",
      delivered_at: sql`now()`,
      ended_at: null,
      reason: null,
      unreachable: false,
      stopped: false,
      retries: state.retries + (isRetry ? 1 : 0),
    })
    .execute();
  await followState(db, nodeId, state, pulled);
  await supersedeStates(db, nodeId, ["waiting", "delivered", "applied"], state);
}

/** Writes the outcome of a state that a device reported. */
export async function recordOutcome(
  db: Db,
  nodeId: number,
  state: StateId & TemplateOfState & Pick<StateRow, "outcome">,
  { outcome, reason, unreachable, stopped, findings }: ToldOutcome,
): Promise<void> {
  const ends = { ended_at: sql<Date>`now()`, unreachable: unreachable, stopped };
  const isApplied = outcome === "applied";
  await ofState(db, nodeId, state)
    .set({ outcome, reason, findings: JSON.stringify(findings), ...(!isApplied && ends) })
    .execute();
  if (isApplied) return;
  await followState(db, nodeId, state, failed);
  if (state.outcome === "confirmed") await failTakenBack(db, nodeId, state);
}

/** What of a state that a device runs does not act now. */
export async function recordFindings(
  db: Db,
  nodeId: number,
  state: StateId,
  findings: readonly Finding[],
): Promise<void> {
  await ofState(db, nodeId, state)
    .set({ findings: JSON.stringify(findings) })
    .execute();
}

/** The device runs the state and has shown that it still reaches the controller. */
export async function confirmState(
  db: Db,
  nodeId: number,
  state: StateId & TemplateOfState,
): Promise<void> {
  await ofState(db, nodeId, state)
    .set({ outcome: "confirmed", reason: null, ended_at: sql`now()` })
    .execute();
  // What was sent before and never reported on.
  await supersedeStates(db, nodeId, ["delivered", "applied"], state);
  await followState(db, nodeId, state, completed);
}

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
export async function retryState({ db }: InCall, nodeId: number, state: Sent): Promise<void> {
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
 * The newest state of a node equals what a version asks for: it contains that version from now on,
 * and a task of it is as far as that state is. It is over immediately when the device runs it already.
 * Also for a version that it contained before, of which more or less acts now.
 */
export async function adoptVersion(
  db: Db,
  nodeId: number,
  state: StateId & Pick<StateRow, "outcome">,
  template: TemplateInState | null,
): Promise<void> {
  await ofState(db, nodeId, state).set(ofTemplate(template)).execute();
  if (template) await settleIssue(db, nodeId, state);
}

/**
 * A task of the version that the newest state of a node contains is as far as that state is, also one that was
 * opened after the state: a rollback to a version that never left, or a version of which nothing reaches the node.
 */
export async function settleIssue(
  db: Db,
  nodeId: number,
  state: StateId & Pick<StateRow, "outcome">,
): Promise<void> {
  const status = issueStatus[state.outcome];
  if (status !== undefined) await followIssue(db, nodeId, state, status);
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

/** What a state has come to holds for its own task, and for the issue whose version it contains. */
async function followState(
  db: Db,
  nodeId: number,
  state: StateId & TemplateOfState,
  status: TaskStatus,
): Promise<void> {
  const { epoch, serial, template_id: template } = state;
  // What was cancelled stays so, even when the device was busy with it and confirms.
  const isOpen = status === completed ? sql`and status in ${open}` : sql``;
  await sql`
    update task set status = ${status}, updated_at = now()
    where node_id = ${nodeId} and type = 'state' and epoch = ${epoch} and serial = ${serial}
      ${isOpen}`.execute(db);
  if (template !== null) await followIssue(db, nodeId, state, status);
}

/**
 * Whichever state brings a version to a device ends its task (design section 3.4): completed when every
 * object acts there, if only in part, and failed otherwise. An issue that failed in one state may still
 * arrive with the next; one that arrived is evaluated again with each state that is confirmed after it.
 */
async function followIssue(
  db: Db,
  nodeId: number,
  { epoch, serial }: StateId,
  status: TaskStatus,
): Promise<void> {
  const arrived = status === completed ? sql`, ${completed}` : sql``;
  await sql`
    with found as (
      select template_id, template_version,
        ${status === completed ? sql`template_unmet` : sql`null::jsonb`} as unmet
      from node_state where node_id = ${nodeId} and epoch = ${epoch} and serial = ${serial}
    ), ended as (
      select *, case when (unmet ->> 'cannot')::int > 0 then ${failed}::int
        else ${status}::int end as status
      from found)
    update task t set status = e.status, unmet = e.unmet,
      updated_at = case when t.status = e.status then t.updated_at else now() end
    from ended e
    where t.node_id = ${nodeId} and t.type = 'template' and t.template_id = e.template_id
      and t.template_version = e.template_version
      and t.status in (${notStarted}, ${pulled}, ${failed} ${arrived})
      and (t.status, t.unmet) is distinct from (e.status, e.unmet)`.execute(db);
}

/**
 * A device took back what it had confirmed: the issue that this state had completed has failed,
 * unless the state that it runs again contains the same version.
 */
async function failTakenBack(
  db: Db,
  nodeId: number,
  { template_id: template, template_version: version }: TemplateOfState,
): Promise<void> {
  if (template === null) return;
  await sql`
    update task set status = ${failed}, unmet = null, updated_at = now()
    where node_id = ${nodeId} and type = 'template' and template_id = ${template}
      and template_version = ${version} and status = ${completed}
      and (template_id, template_version) is distinct from (
        select row (s.template_id, s.template_version) from node_state s
        where s.node_id = ${nodeId} and s.outcome = 'confirmed'
        order by s.epoch desc, s.serial desc limit 1)`.execute(db);
}

/** Of the demonstration: dates the states of a node back, the newest to that time and those changes, others a day each. */
export async function dateBack(db: Db, nodeId: number, at: Date, causes: readonly StoredCause[]) {
  const then = sql`${at}::timestamptz - (n.newest - s.serial) * interval '1 day'`;
  await sql`update node_state s set created_at = ${then}, delivered_at = ${then}, ended_at = ${then},
      causes = case when s.serial = n.newest then ${JSON.stringify(causes)}::jsonb else s.causes end
    from (select max(serial) as newest from node_state where node_id = ${nodeId}) n
    where s.node_id = ${nodeId}`.execute(db);
}
