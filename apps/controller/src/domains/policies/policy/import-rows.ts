/** Rows of policy objects out of files (specification section 7.4: import and importTem). */

import { policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import type { PolicyFamily, ScopedPolicy } from "@weft/contract/kernel/policy-family.ts";
import type { AnyResource, DraftOf } from "@weft/contract/kernel/resource.ts";
import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { refuseField } from "#kernel/refuse.ts";
import type { Store } from "#kernel/resource-store.ts";
import { isOwnedBy, type NamedOwner, ownerIn, requireOwner } from "#kernel/row-owner.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { mountImport } from "#transfer/mount-import.ts";
import { columnOf, tableOf } from "./columns.ts";
import { rulesOf } from "./rules.ts";
import { owners } from "./store.ts";

type Loose = Readonly<Record<string, unknown>>;
/** Field -> what people call a row of the owner -> its id. */
type Names = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Mounts the import of one scope of a family that has one. */
export function mountPolicyImport(
  app: FastifyInstance,
  family: PolicyFamily,
  { scope, resource, importable }: ScopedPolicy,
  store: Store<AnyResource>,
): void {
  const { spec } = family;
  if (!importable || !spec.importable) return;
  const { rest } = spec.importable;
  const ownerFields = owners[scope];
  const { beforeWrite } = rulesOf(family.name, ownerFields);
  // Read once a call, not once a row.
  const names = new WeakMap<Context, Names>();
  mountImport(app, importable, {
    resource: resource.name,
    async prepare(ctx, fields) {
      const owner = ownerIn(ownerFields, fields);
      await requireOwner(ctx, owner);
      names.set(ctx, await readNames(ctx, family, owner));
    },
    async add(ctx, row, owner) {
      const filled = { ...row, remark: row.remark ?? "", ...rest, ...owner };
      const draft = withIds(filled, names.get(ctx) ?? new Map()) as DraftOf<AnyResource>;
      await beforeWrite?.(ctx, draft, null, Promise.resolve(null));
      return store.add(ctx, draft);
    },
  });
}

/** What rows of a file may refer to. */
async function readNames(ctx: Context, { spec }: PolicyFamily, owner: NamedOwner): Promise<Names> {
  const columns = spec.importable?.columns ?? [];
  const references = Object.entries(spec.references ?? {}).filter(([field]) =>
    columns.includes(field),
  );
  const read = references.map(async ([field, target = ""]) => {
    const label = sql.ref(columnOf(policyFamily(target).spec.label));
    const { rows } = await sql<{ id: number; name: string }>`
      select id, ${label} as name from ${sql.table(tableOf(target))}
      where ${isOwnedBy(owner)} and ${inCallerScope(ctx, "enterprise_id", "created_by")}`.execute(
      ctx.db,
    );
    return [field, new Map(rows.map(({ id, name }) => [name, id]))] as const;
  });
  return new Map(await Promise.all(read));
}

/** The row with ids in place of names; refuses a name that the owner has no row of. */
const withIds = (row: Loose, names: Names): Loose => ({
  ...row,
  ...Object.fromEntries(
    [...names].map(([field, ids]) => [
      field,
      ids.get(String(row[field])) ?? refuseField(field, "unknown"),
    ]),
  ),
});
