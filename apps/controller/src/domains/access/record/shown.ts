import { allResources } from "@weft/contract/all-endpoints.ts";
import { holds } from "@weft/contract/permissions.ts";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";

/** Resources whose list the caller may not ask for: the log must not show their rows instead. */
export const hiddenModules = (ctx: Context): string[] =>
  Object.values(allResources)
    .filter(({ may }) => !holds(ctx.caller, may.list))
    .map(({ name }) => name);

/** Predicate over `audit l`: rows of resources that the caller may list, and the caller's own. */
export const shownModules = (ctx: Context): RawBuilder<SqlBool> => {
  const hidden = hiddenModules(ctx);
  if (hidden.length === 0) return sql`true`;
  return sql`(l.user_id = ${ctx.caller.userId} or l.resource <> all(${hidden}::text[]))`;
};

/** Predicate over `audit l`: what the caller's operation log shows. */
export const shownOperations = (ctx: Context): RawBuilder<SqlBool> =>
  sql`(${inCallerScope(ctx, "l.enterprise_id", "l.user_id")} and ${shownModules(ctx)})`;
