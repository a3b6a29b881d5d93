/** Tasks follow the states that they are about. */

import type { StateId } from "@weft/contract/device/v1/state.ts";
import { type TaskStatus, taskStatus } from "@weft/contract/domains/delivery/enums.ts";
import { type Selectable, sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";

type TemplateOfState = Pick<Selectable<Database["node_state"]>, "template_id" | "template_version">;

/**
 * What a state has come to holds for its own task, and for the issue whose version it contains:
 * whichever state brings a version to a box completes its task (design section 3.4). An issue that
 * failed in one state may still arrive with the next; one that is over stays so.
 */
export async function followState(
  trx: Transaction<Database>,
  node: number,
  state: StateId & TemplateOfState,
  status: TaskStatus,
): Promise<void> {
  const { epoch, serial, template_id: template, template_version: version } = state;
  const { notStarted, pulled, failed, completed } = taskStatus;
  // What was cancelled stays so, even when the box was busy with it and confirms.
  const isOpen = status === completed ? sql`and status in (${notStarted}, ${pulled})` : sql``;
  const ofTemplate = sql`or type = 'template' and template_id = ${template}
    and template_version = ${version} and status in (${notStarted}, ${pulled}, ${failed})`;
  await sql`
    update task set status = ${status}, updated_at = now()
    where node_id = ${node} and (
      type = 'state' and epoch = ${epoch} and serial = ${serial} ${isOpen}
      ${template === null ? sql`` : ofTemplate})`.execute(trx);
}

/**
 * A box took back what it had confirmed: the issue that this state had completed has failed, unless
 * the state that the box runs again contains the same version.
 */
export async function failTakenBack(
  trx: Transaction<Database>,
  node: number,
  { template_id: template, template_version: version }: TemplateOfState,
): Promise<void> {
  if (template === null) return;
  const { failed, completed } = taskStatus;
  await sql`
    update task set status = ${failed}, updated_at = now()
    where node_id = ${node} and type = 'template' and template_id = ${template}
      and template_version = ${version} and status = ${completed}
      and (template_id, template_version) is distinct from (
        select row (s.template_id, s.template_version) from node_state s
        where s.node_id = ${node} and s.outcome = 'confirmed'
        order by s.epoch desc, s.serial desc limit 1)`.execute(trx);
}
