import { fieldText } from "@weft/contract/value-texts.ts";
import { type Selectable, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import { differences } from "./rules.ts";
import { shownOperations } from "./shown.ts";

type Values = Readonly<Record<string, unknown>> | null;

export type Entry = Pick<
  Selectable<Database["audit"]>,
  "id" | "enterprise_id" | "resource" | "row_id"
> & { readonly old_value: Values; readonly new_value: Values };

/** An entry of the log that the caller sees. @throws Refusal for another one, and for one that is not there */
export async function findEntry(ctx: Context, id: number): Promise<Entry> {
  const { rows } = await sql<Entry>`
    select l.id, l.enterprise_id, l.resource, l.row_id, l.old_value, l.new_value
    from audit l where l.id = ${id} and ${shownOperations(ctx)}`.execute(ctx.db);
  return rows[0] ?? refuse("notFound");
}

interface Later {
  readonly login_name: string;
  readonly old_value: Values;
  readonly new_value: Values;
}

/** Writes of the row that are looked through. */
const maxLater = 20;
/** Fields that a refusal names. */
const maxFields = 8;

/** Ends the call when the row was written after the entry: by whom, and which fields. */
export async function refuseLater(ctx: Context, entry: Entry): Promise<void> {
  const { rows } = await sql<Later>`
    select login_name, old_value, new_value from audit
    where resource = ${entry.resource} and row_id = ${entry.row_id} and id > ${entry.id}
    order by id desc limit ${maxLater}`.execute(ctx.db);
  if (rows.length === 0) return;
  const { language } = ctx.caller;
  const comma = language === "zh_cn" ? "、" : ", ";
  const fields = rows.flatMap(({ old_value, new_value }) =>
    differences(old_value, new_value).map(({ field }) => fieldText(field, language)),
  );
  refuse("staleRow", {
    who: [...new Set(rows.map(({ login_name }) => login_name))].join(comma),
    what: [...new Set(fields)].slice(0, maxFields).join(comma),
  });
}

/** Each entry is undone once: of two at the same time the second finds who was first. */
export async function markUndone(ctx: Context, entry: Entry): Promise<void> {
  const { rows } = await sql`
    insert into undone_operation (audit_id, enterprise_id, login_name, created_by)
    values (${entry.id}, ${entry.enterprise_id}, ${ctx.caller.loginName}, ${ctx.caller.userId})
    on conflict do nothing returning 1`.execute(ctx.db);
  if (rows.length > 0) return;
  const undone = await ctx.db
    .selectFrom("undone_operation")
    .select("login_name")
    .where("audit_id", "=", entry.id)
    .executeTakeFirst();
  const who = undone?.login_name ?? "";
  refuse("notAllowedNow", {
    reason: [`${who} 已撤销该操作`, `${who} has undone this operation`],
  });
}
