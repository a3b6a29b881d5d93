import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { ValueOf } from "#db/known-statements.ts";
import type { CallerScope, Context } from "./api.ts";
import { refuseField } from "./refuse.ts";

/** A scope, or the places of its values in a statement that is built for all callers with a scope of its shape. */
export type ScopeTerms =
  | { readonly kind: "all" }
  | {
      readonly kind: "enterprises";
      readonly ids: readonly number[] | RawBuilder<readonly number[]>;
      readonly userId: number | null | RawBuilder<number | null>;
      readonly ownOnly: boolean;
    };

/** What the text of a statement with the caller's scope follows from. */
export const scopeShape = ({ scope }: { readonly scope: CallerScope }): string =>
  scope.kind === "all" ? "all" : scope.ownOnly ? "own" : "enterprises";

/** The scope with places instead of values, and its values. */
export const scopeTerms = (scope: CallerScope, value: ValueOf): ScopeTerms =>
  scope.kind === "all"
    ? scope
    : {
        kind: scope.kind,
        ids: value("scope enterprises"),
        userId: value("scope user"),
        ownOnly: scope.ownOnly,
      };

export const scopeValues = ({
  scope,
}: {
  readonly scope: CallerScope;
}): Readonly<Record<string, unknown>> =>
  scope.kind === "all" ? {} : { "scope enterprises": scope.ids, "scope user": scope.userId };

/**
 * The caller's scope as a predicate, used beside row-level security: the policy is what
 * protects, the predicate lets the planner use an index (design section 5).
 * @param enterprise column with the row's enterprise, qualified where tables join.
 * @param creator column with the row's creator, where the table has one: needed for the scope
 * "own data only".
 */
export const inCallerScope = (
  ctx: Pick<Context, "caller">,
  enterprise: string,
  creator?: string,
): RawBuilder<SqlBool> => isInScope(ctx.caller.scope, enterprise, creator);

/** The same, of a scope or of the places of its values. */
export function isInScope(
  scope: ScopeTerms,
  enterprise: string,
  creator?: string,
): RawBuilder<SqlBool> {
  if (scope.kind === "all") return sql<SqlBool>`true`;
  const inside = sql<SqlBool>`${sql.ref(enterprise)} = any(${scope.ids}::bigint[])`;
  if (!scope.ownOnly || creator === undefined) return inside;
  return sql<SqlBool>`(${inside} and ${sql.ref(creator)} = ${scope.userId})`;
}

/**
 * Makes sure that an enterprise named in a field is the caller's to write in. A foreign one and
 * one that is not there are refused alike.
 */
export async function requireEnterprise(ctx: Context, id: number, field: string): Promise<void> {
  const row = await ctx.db
    .selectFrom("enterprise")
    .select("id")
    .where("id", "=", id)
    .where(inCallerScope(ctx, "id"))
    .executeTakeFirst();
  if (!row) refuseField(field, "unknown");
}

/**
 * Takes an enterprise that this transaction makes into its scope, so that rows of it can be
 * written in the same transaction. Its parent was in the scope, or the insert was refused.
 */
export async function admitToScope(ctx: Context, enterpriseId: number): Promise<void> {
  const { scope } = ctx.caller;
  if (scope.kind === "all") return;
  const wider = `{${[...scope.ids, enterpriseId].join(",")}}`;
  await sql`select set_config('weft.scope', ${wider}, true)`.execute(ctx.db);
}

/**
 * Whether the enterprise above this one is in the caller's scope; the topmost has itself above it.
 * Selling to an enterprise and reviewing it is done from above: not for the caller's own one.
 */
export async function isAncestor(ctx: Context, enterpriseId: number): Promise<boolean> {
  const { rows } = await sql<{ above: boolean }>`
    select exists (select from enterprise p
      where p.id = coalesce(e.parent_id, e.id) and ${inCallerScope(ctx, "p.id")}) as above
    from enterprise e where e.id = ${enterpriseId}
      and (e.parent_id is null or e.id <> ${ctx.caller.enterpriseId}) and ${inCallerScope(ctx, "e.id")}`.execute(
    ctx.db,
  );
  return rows[0]?.above ?? false;
}
