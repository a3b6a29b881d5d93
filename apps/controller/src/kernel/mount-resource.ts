import type { AnyResource, DraftOf, Verb } from "@weft/contract/kernel/resource.ts";
import { versionField } from "@weft/contract/kernel/row-version.ts";
import type { FastifyInstance } from "fastify";
import type { HandlerContext } from "./api.ts";
import { mount } from "./mount.ts";
import { refuse } from "./refuse.ts";
import type { Hooks, ListQuery, Store, WrittenRow } from "./resource-store.ts";
import { conditionOf, requireVersion, takeTurn, tellVersion, withVersions } from "./row-version.ts";

type Loose = Readonly<Record<string, unknown>>;

/**
 * Mounts the verbs that the resource declares. Adds, edits and removals write their audit row and,
 * where the row touches nodes or spaces, their change row.
 * @param own verbs that the feature mounts itself, at the same path.
 */
export function mountResource<R extends AnyResource>(
  app: FastifyInstance,
  resource: R,
  store: Store<R>,
  hooks: Hooks<R> = {},
  own: readonly Verb[] = [],
): void {
  const { ops } = resource as AnyResource;
  const mounts: Record<Verb, () => void> = {
    list: () =>
      mount(app, ops.list, async (query, ctx) => {
        const page = await store.list(ctx, query as ListQuery<R>);
        return withVersions(resource, page);
      }),
    add: () =>
      mount(app, ops.add, async (input, ctx) => {
        const draft = input as DraftOf<R>;
        await hooks.beforeWrite?.(ctx, draft, null);
        const row = await store.add(ctx, draft);
        await record(ctx, resource, [row], hooks);
        tellVersion(ctx, resource, row);
        return { id: row.id };
      }),
    edit: () =>
      mount(app, ops.edit, async (input, ctx) => {
        const { [resource.id]: given, [versionField]: version, ...rest } = input as Loose;
        const [id, draft] = [given as number, rest as DraftOf<R>];
        const condition = conditionOf(ctx, version);
        if (condition !== null) await takeTurn(ctx, resource, id);
        await hooks.beforeWrite?.(ctx, draft, id);
        const row = await store.edit(ctx, id, draft);
        // Undoes what the store wrote: only its own read, under its lock, is sure to be the newest.
        await requireVersion(ctx, resource, row, condition);
        await record(ctx, resource, [row], hooks);
        tellVersion(ctx, resource, row);
        return null;
      }),
    remove: () =>
      mount(app, ops.remove, async ({ ids, ...inside }, ctx) => {
        const unique = [...new Set(ids)];
        await hooks.beforeRemove?.(ctx, unique, inside);
        const rows = await store.remove(ctx, unique, inside);
        if (rows.length !== unique.length) refuse("notFound");
        const condition = conditionOf(ctx, null);
        for (const row of rows) await requireVersion(ctx, resource, row, condition);
        await record(ctx, resource, rows, hooks);
        return null;
      }),
    combo: () =>
      mount(app, ops.combo, (inside, ctx) => {
        if (!store.combo) throw new Error(`${resource.name} has no combo in its store`);
        return store.combo(ctx, inside);
      }),
  };
  for (const verb of resource.verbs) if (!own.includes(verb)) mounts[verb]();
}

async function record<R extends AnyResource>(
  ctx: HandlerContext,
  resource: R,
  rows: readonly WrittenRow[],
  hooks: Hooks<R>,
): Promise<void> {
  await recordWrites(ctx, resource.name, rows);
  for (const row of rows) await hooks.afterWrite?.(ctx, row);
}

/** Writes the audit rows of written rows and, where they touch nodes or spaces, the change row. */
export async function recordWrites(
  ctx: Pick<HandlerContext, "audit" | "change">,
  resource: string,
  rows: readonly WrittenRow[],
): Promise<void> {
  const changes = rows.flatMap(({ enterpriseId, touches }) =>
    touches ? [{ enterpriseId, ...touches }] : [],
  );
  // Side by side: both or neither stay, and the database is asked once less.
  await Promise.all([
    ctx.audit(
      ...rows.map(({ id: rowId, enterpriseId, old, new: now }) => ({
        resource,
        rowId,
        old,
        new: now,
        enterpriseId,
      })),
    ),
    changes.length > 0 && ctx.change(...changes),
  ]);
}
