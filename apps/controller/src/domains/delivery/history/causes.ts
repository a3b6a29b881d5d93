/** Causes of states, in terms of the operation log. */
import type { StateCause } from "@weft/contract/domains/delivery/history.ts";
import { sql } from "kysely";
import { hiddenModules, rowName } from "#domains/access/record/public.ts";
import type { StoredCause } from "#domains/delivery/schema.ts";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";

type Values = Record<string, unknown> | null;

interface AuditRow {
  readonly request_id: string;
  readonly resource: string;
  readonly row_id: number | null;
  readonly old_value: Values;
  readonly new_value: Values;
}

/** Maximum number of changes listed for one state; a bulk job of a hundred rows need not be listed here. */
const maxCauses = 20;

/** The name of a row for users; for rows without a name, the network that they describe. */
const nameOf = ({ old_value: old, new_value: now }: AuditRow): string => {
  const named = rowName(old, now);
  if (named !== "") return named;
  const network = now?.network ?? old?.network ?? now?.destination ?? old?.destination;
  return typeof network === "string" ? network : "";
};

/** "admin: lansection.add" -> who and what. */
function readCause(cause: string): Pick<StateCause, "by" | "action"> {
  const at = cause.indexOf(": ");
  return at < 0
    ? { by: cause, action: "" }
    : { by: cause.slice(0, at), action: cause.slice(at + 2) };
}

async function auditRows(ctx: Context, requestIds: readonly string[]): Promise<AuditRow[]> {
  if (requestIds.length === 0) return [];
  const hidden = hiddenModules(ctx);
  const { rows } = await sql<AuditRow>`
    select request_id, resource, row_id, old_value, new_value from audit l
    where request_id = any(${[...requestIds]}::text[])
      and ${inCallerScope(ctx, "l.enterprise_id", "l.user_id")}
      and (l.user_id = ${ctx.caller.userId} or l.resource <> all(${hidden}::text[]))
    order by l.id limit 2000`.execute(ctx.db);
  return rows;
}

/**
 * Makes the causes of states readable: each with the objects that its call wrote, if the
 * caller may see their records.
 */
export async function causeReader(
  ctx: Context,
  states: readonly { readonly cause: string; readonly causes: readonly StoredCause[] }[],
): Promise<(state: (typeof states)[number]) => StateCause[]> {
  const asked = states.flatMap(({ causes }) => causes.slice(-maxCauses));
  const ids = [...new Set(asked.map(({ requestId }) => requestId).filter((id) => id !== ""))];
  const found = Map.groupBy(await auditRows(ctx, ids), ({ request_id }) => request_id);
  const noRow = { module: "", rowId: null, rowName: "" };
  return ({ cause, causes }) => {
    // States from before causes were stored have the last one only.
    const stored = causes.length > 0 ? causes : [{ cause, requestId: "" }];
    return stored
      .flatMap((one) => {
        const known = readCause(one.cause);
        const rows = found.get(one.requestId) ?? [];
        if (rows.length === 0) return [{ ...known, ...noRow }];
        return rows.map((row) => ({
          ...known,
          module: row.resource,
          rowId: row.row_id,
          rowName: nameOf(row),
        }));
      })
      .slice(-maxCauses);
  };
}
