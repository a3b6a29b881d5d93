/** What happened at a node: alarms, entries of the operation log, configurations. */
import { type Mark, maxMarks } from "@weft/contract/domains/monitoring/site-overview.ts";
import { sql } from "kysely";
import { listOperations } from "#domains/access/record/public.ts";
import { statesWithin } from "#domains/delivery/history/public.ts";
import { eventSentence, type Reported } from "#domains/notifications/alarm/public.ts";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";
import type { Span } from "./stretches.ts";

interface EventRow extends Reported {
  readonly id: number;
  readonly opened_at: Date;
  readonly cleared_at: Date | null;
}

/** Alarms about the node that were active within the span. */
async function alarmMarks(ctx: Context, nodeId: number, { from, to }: Span): Promise<Mark[]> {
  const { rows } = await sql<EventRow>`
    select e.id, e.level, e.metric, e.node_kind, e.node_name, e.item_name, e.value, e.opened_at,
      e.cleared_at
    from alarm_event e
    where e.node_id = ${nodeId} and e.opened_at < ${to}
      and (e.cleared_at is null or e.cleared_at >= ${from})
      and ${inCallerScope(ctx, "e.enterprise_id", "e.created_by")}
    order by e.opened_at desc, e.id desc limit ${maxMarks}`.execute(ctx.db);
  return rows.map((row) => ({
    kind: "alarm",
    id: row.id,
    from: row.opened_at,
    to: row.cleared_at,
    level: row.level,
    outcome: null,
    text: [...eventSentence(row)],
  }));
}

/** Entries of the operation log that the caller may read. */
async function changeMarks(ctx: Context, nodeId: number, { from, to }: Span): Promise<Mark[]> {
  const { rows } = await listOperations(ctx, {
    nodeId,
    startTime: from,
    endTime: to,
    page: 1,
    limit: maxMarks,
    loginName: null,
    module: null,
    rowId: null,
    kind: null,
    groupid: null,
    templateId: null,
  });
  return rows.map((row) => ({
    kind: "change",
    id: row.id,
    from: row.createTime,
    to: null,
    level: null,
    outcome: null,
    text: row.story,
  }));
}

/** Sentences of one text at most. */
const maxStories = 3;

/** Configurations that were made or underway within the span; none of another's POP. */
async function deliveryMarks(ctx: Context, nodeId: number, span: Span): Promise<Mark[]> {
  const states = await statesWithin(ctx, nodeId, span, maxMarks);
  return states.map(({ serial, outcome, createTime, endTime, causes }) => {
    const stories = causes.map(({ story }) => story).filter(([zh]) => zh !== "");
    const shown = stories.slice(-maxStories);
    return {
      kind: "delivery",
      id: serial,
      from: createTime,
      to: endTime,
      level: null,
      outcome,
      text: [shown.map(([zh]) => zh).join("；"), shown.map(([, en]) => en).join("; ")],
    };
  });
}

/** All marks of the span, oldest first. */
export async function listMarks(ctx: Context, nodeId: number, span: Span): Promise<Mark[]> {
  const marks = await Promise.all(
    [alarmMarks, changeMarks, deliveryMarks].map((read) => read(ctx, nodeId, span)),
  );
  return marks.flat().sort((a, b) => a.from.getTime() - b.from.getTime());
}
