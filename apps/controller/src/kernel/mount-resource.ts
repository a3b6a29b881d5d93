import type { AnyResource, DraftOf, Verb } from "@weft/contract/kernel/resource.ts";
import { versionField } from "@weft/contract/kernel/row-version.ts";
import type { FastifyInstance } from "fastify";
import type { Api, AuditEntry, Change, HandlerContext } from "./api.ts";
import { mount } from "./mount.ts";
import { refuse } from "./refuse.ts";
import type {
  EditCheck,
  Hooks,
  Inside,
  ListQuery,
  Store,
  StoredRow,
  WrittenRow,
} from "./resource-store.ts";
import { conditionOf, lockRow, requireVersion, setETag } from "./row-version.ts";
import { isLockedFirst } from "./table-store.ts";

type Loose = Readonly<Record<string, unknown>>;

/** A draft has no password of its caller: it is proven, and neither stored nor recorded. */
function draftOf<R extends AnyResource>({ oldPsw: _, ...draft }: Loose): DraftOf<R> {
  return draft as DraftOf<R>;
}

/** A resource with what answers its calls, for calls that work on rows of any resource. */
export interface MountedResource<R extends AnyResource = AnyResource> {
  readonly resource: R;
  readonly store: Store<R>;
  readonly hooks: Hooks<R>;
}

const mountedOf = new WeakMap<Api, Map<string, MountedResource>>();

/** The resource of that name; undefined: there is none. */
export const mountedResource = (api: Api, name: string): MountedResource | undefined =>
  mountedOf.get(api)?.get(name);

/** Writes a row as its own call would, but for the audit row: new (id null), or in place of one. */
export async function writeRow(
  ctx: HandlerContext,
  { resource, store, hooks }: MountedResource,
  id: number | null,
  draft: DraftOf<AnyResource>,
): Promise<StoredRow> {
  let isChecked = false;
  const check: EditCheck = async (stored) => {
    isChecked = true;
    await hooks.beforeWrite?.(ctx, draft, id, stored);
  };
  if (id !== null && hooks.checksOnlyRead) {
    const row = await store.edit(ctx, id, draft, check);
    if (!isChecked) throw new Error(`the store of ${resource.name} writes what it did not check`);
    return row;
  }
  await check(Promise.resolve(null));
  return id === null ? store.add(ctx, draft) : store.edit(ctx, id, draft);
}

/** Removes rows as their own call would, but for the audit rows: all of them, or none. */
export async function removeRows(
  ctx: HandlerContext,
  { store, hooks }: MountedResource,
  ids: readonly number[],
  inside: Inside,
): Promise<StoredRow[]> {
  await hooks.beforeRemove?.(ctx, ids, inside);
  const rows = await store.remove(ctx, ids, inside);
  if (rows.length !== ids.length) refuse("notFound");
  return rows;
}

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
  verbs: readonly Verb[] = [],
): void {
  const { ops } = resource as AnyResource;
  const mounted: MountedResource<R> = { resource, store, hooks };
  const all = mountedOf.get(app.weft) ?? new Map<string, MountedResource>();
  mountedOf.set(app.weft, all.set(resource.name, mounted as unknown as MountedResource));
  const mounts: Record<Verb, () => void> = {
    list: () => mount(app, ops.list, (query, ctx) => store.list(ctx, query as ListQuery<R>)),
    add: () =>
      mount(app, ops.add, async (input, ctx) => {
        const row = await writeRow(ctx, mounted as never, null, draftOf<R>(input as Loose));
        await recordLast(ctx, resource, [row], hooks);
        setETag(ctx, row);
        return { id: row.id };
      }),
    edit: () =>
      mount(
        app,
        ops.edit,
        async (input, ctx) => {
          const { [resource.id]: given, [versionField]: version, ...rest } = input as Loose;
          const [id, draft] = [given as number, draftOf<R>(rest)];
          const condition = conditionOf(ctx, version);
          // Sent first: what the store reads, it reads once the turn has come.
          const turn = condition === null ? null : lockRow(ctx, resource, id);
          const [row] = await Promise.all([writeRow(ctx, mounted as never, id, draft), turn]);
          // Undoes what the store wrote: only its own read, under its lock, is sure to be the newest.
          await requireVersion(ctx, resource, row, condition);
          await recordLast(ctx, resource, [row], hooks);
          setETag(ctx, row);
          return null;
        },
        {
          readsFirst: isLockedFirst(store) && (!hooks.beforeWrite || hooks.checksOnlyRead === true),
        },
      ),
    remove: () =>
      mount(app, ops.remove, async ({ ids, ...inside }, ctx) => {
        const rows = await removeRows(ctx, mounted as never, [...new Set(ids)], inside);
        const condition = conditionOf(ctx, null);
        for (const row of rows) await requireVersion(ctx, resource, row, condition);
        await recordLast(ctx, resource, rows, hooks);
        return null;
      }),
    combo: () =>
      mount(app, ops.combo, (inside, ctx) => {
        if (!store.combo) throw new Error(`${resource.name} has no combo in its store`);
        return store.combo(ctx, inside);
      }),
  };
  for (const verb of resource.verbs) if (!verbs.includes(verb)) mounts[verb]();
}

/** What follows from written rows, and their audit rows, which go out with COMMIT. */
async function recordLast<R extends AnyResource>(
  ctx: HandlerContext,
  resource: R,
  rows: readonly WrittenRow[],
  hooks: Hooks<R>,
): Promise<void> {
  for (const row of rows) await hooks.afterWrite?.(ctx, row);
  ctx.recordLast(auditEntries(resource.name, rows), changesOf(rows));
}

/** Writes what goes with written rows: their audit rows, and what follows from them. */
export async function record<R extends AnyResource>(
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
  const changes = changesOf(rows);
  // In parallel: both or neither stay, and a round trip is saved.
  await Promise.all([
    ctx.audit(...auditEntries(resource, rows)),
    changes.length > 0 && ctx.change(...changes),
  ]);
}

const changesOf = (rows: readonly WrittenRow[]): Change[] =>
  rows.flatMap(({ enterpriseId, touches }) => (touches ? [{ enterpriseId, ...touches }] : []));

const auditEntries = (resource: string, rows: readonly WrittenRow[]): AuditEntry[] =>
  rows.map(({ id: rowId, enterpriseId, old, new: now }) => ({
    resource,
    rowId,
    old,
    new: now,
    enterpriseId,
  }));
