/** Causes of states, in terms of the operation log. */
import type { StateCause } from "@weft/contract/domains/delivery/history.ts";
import { sql } from "kysely";
import {
  hiddenModules,
  type OperationRow,
  storiesOfOperations,
  storyOfCall,
} from "#domains/access/record/public.ts";
import type { StoredCause } from "#domains/delivery/schema.ts";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";

/** Maximum number of changes listed for one state; a bulk job of a hundred rows need not be listed here. */
const maxCauses = 20;

/** "admin: lansection.add" -> who and what. */
function readCause(cause: string): Pick<StateCause, "by" | "action"> {
  const at = cause.indexOf(": ");
  return at < 0
    ? { by: cause, action: "" }
    : { by: cause.slice(0, at), action: cause.slice(at + 2) };
}

async function auditRows(ctx: Context, requestIds: readonly string[]): Promise<OperationRow[]> {
  if (requestIds.length === 0) return [];
  const hidden = hiddenModules(ctx);
  const { rows } = await sql<OperationRow>`
    select l.*, (select e.name from enterprise e where e.id = l.enterprise_id) as enterprise_name
    from audit l
    where request_id = any(${[...requestIds]}::text[])
      and ${inCallerScope(ctx, "l.enterprise_id", "l.user_id")}
      and (l.user_id = ${ctx.caller.userId} or l.resource <> all(${hidden}::text[]))
    order by l.id limit 2000`.execute(ctx.db);
  return rows;
}

interface State {
  readonly cause: string;
  readonly causes: readonly StoredCause[];
}
/** Who did what, with the row of the log where the caller may see it. */
type Found = Pick<StateCause, "by" | "action"> & { readonly row: OperationRow | null };

const foundOf = ({ cause, causes }: State, byRequest: Map<string, OperationRow[]>): Found[] => {
  // States from before causes were stored have the last one only.
  const stored = causes.length > 0 ? causes : [{ cause, requestId: "" }];
  return stored
    .flatMap((one): Found[] => {
      const known = readCause(one.cause);
      const rows = byRequest.get(one.requestId) ?? [];
      return rows.length === 0 ? [{ ...known, row: null }] : rows.map((row) => ({ ...known, row }));
    })
    .slice(-maxCauses);
};

/**
 * Makes the causes of states readable: each with the objects that its call wrote, if the
 * caller may see their records.
 */
export async function causeReader(
  ctx: Context,
  states: readonly State[],
): Promise<(state: State) => StateCause[]> {
  const shownCauses = states.flatMap(({ causes }) => causes.slice(-maxCauses));
  const ids = [...new Set(shownCauses.map(({ requestId }) => requestId).filter((id) => id !== ""))];
  const byRequest = Map.groupBy(await auditRows(ctx, ids), ({ request_id }) => request_id);
  const causesByState = new Map(states.map((state) => [state, foundOf(state, byRequest)]));
  const rows = [...causesByState.values()].flat().flatMap(({ row }) => (row ? [row] : []));
  const unique = [...new Map(rows.map((row) => [row.id, row])).values()];
  const stories = new Map(
    (await storiesOfOperations(ctx, unique)).map((story) => [story.id, story]),
  );
  return (state) =>
    (causesByState.get(state) ?? []).map(({ by, action, row }) => {
      const one = row && stories.get(row.id);
      if (!one) {
        const story: StateCause["story"] = action === "" ? ["", ""] : storyOfCall(by, action);
        return { by, action, module: "", rowId: null, rowName: "", story };
      }
      const { module, rowId, rowName, story } = one;
      return { by, action, module, rowId, rowName, story };
    });
}
