/** What the loop knows of templates: the version that a CPE follows, and the tasks that end by it. */
import { type TaskStatus, taskStatus } from "@weft/contract/domains/delivery/enums.ts";
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import type { TemplateContent } from "#db/schema-router-template.ts";

type Trx = Transaction<Database>;

/** A version of a template, wherever one only has to tell it apart. */
export interface TemplateVersion {
  readonly templateId: number;
  readonly version: number;
}

/** The version issued to a CPE last, with its rows. */
export interface IssuedTemplate extends TemplateVersion {
  readonly content: TemplateContent;
}

/** What a CPE follows; null: no template, or one that was not issued since the CPE came in. */
export async function readIssued(trx: Trx, nodeId: number): Promise<IssuedTemplate | null> {
  const row = await trx
    .selectFrom("router_template_node as m")
    .innerJoin("router_template_version as v", (join) =>
      join.onRef("v.template_id", "=", "m.template_id").onRef("v.version", "=", "m.version"),
    )
    .select(["v.template_id", "v.version", "v.content"])
    .where("m.node_id", "=", nodeId)
    .executeTakeFirst();
  return row ? { templateId: row.template_id, version: row.version, content: row.content } : null;
}

/** Task state of an issue whose version is in a state with this outcome. */
const statusOf: Readonly<Record<string, TaskStatus>> = {
  delivered: taskStatus.pulled,
  applied: taskStatus.pulled,
  confirmed: taskStatus.completed,
  refused: taskStatus.failed,
  failed: taskStatus.failed,
  reverted: taskStatus.failed,
};

/**
 * The newest state of a node equals what a version asks for: it contains that version from now on,
 * and a task of it is as far as that state is. At once completed when the box runs it already.
 */
export async function adoptVersion(
  trx: Trx,
  nodeId: number,
  state: { readonly epoch: number; readonly serial: number; readonly outcome: string },
  template: TemplateVersion | null,
): Promise<void> {
  await trx
    .updateTable("node_state")
    .set({
      template_id: template?.templateId ?? null,
      template_version: template?.version ?? null,
    })
    .where("node_id", "=", nodeId)
    .where("epoch", "=", state.epoch)
    .where("serial", "=", state.serial)
    .execute();
  const status = statusOf[state.outcome];
  if (!template || status === undefined) return;
  await sql`
    update task set status = ${status}, updated_at = now()
    where type = 'template' and node_id = ${nodeId} and template_id = ${template.templateId}
      and template_version = ${template.version}
      and status in (${taskStatus.notStarted}, ${taskStatus.pulled}, ${taskStatus.failed})`.execute(
    trx,
  );
}
