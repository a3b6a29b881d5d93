/** Nodes that are held at a past state. */
import { type DesiredState, fromSections } from "@weft/contract/device/v1/state.ts";
import { sql, type Transaction } from "kysely";
import { type Pools, scopedSnapshot } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import type { TemplateVersion } from "#domains/delivery/lifecycle/public.ts";
import type { Context } from "#kernel/api.ts";
import { announcedIn } from "./restore.ts";
import type { OwnNode, StateRow } from "./store.ts";

interface Pinned {
  readonly serial: number;
  readonly state: DesiredState;
  /** The template version that is in it. */
  readonly template: TemplateVersion | null;
}

interface PinnedSection {
  readonly serial: number;
  readonly name: string;
  readonly content: unknown;
  readonly template_id: number | null;
  readonly template_version: number | null;
}

/** The state that a node is held at, as the worker reads it; null: it is not held. */
export async function readPinned(
  trx: Transaction<Database>,
  nodeId: number,
): Promise<Pinned | null> {
  const { rows } = await sql<PinnedSection>`
    select p.serial, named.key as name, c.content, s.template_id, s.template_version from node_pin p
    join node_state s using (node_id, epoch, serial)
    cross join jsonb_each_text(s.sections) named
    left join state_section c on c.node_id = s.node_id and c.hash = named.value
    where p.node_id = ${nodeId}`.execute(trx);
  const [first] = rows;
  if (!first) return null;
  // fromSections refuses a document with a section that is gone.
  const state = fromSections(new Map(rows.map(({ name, content }) => [name, content])));
  const { serial, template_id: templateId, template_version: version } = first;
  const template = templateId !== null && version !== null ? { templateId, version } : null;
  return { serial, state, template };
}

/**
 * Networks of other sites that overlap with those which the node would bring back: "site 10.1.0.0/24".
 * Reads as the worker does, because those sites need not be the caller's.
 */
export function findOverlaps(
  pools: Pools<Database>,
  node: OwnNode,
  past: DesiredState,
): Promise<string[]> {
  const announced = announcedIn(past);
  const scope = { kind: "enterprises", ids: [], userId: null, ownOnly: false } as const;
  return scopedSnapshot(pools.worker, scope, async (trx) => {
    await sql`select set_config('weft.scope', weft.compile_scope(${node.id})::text, true)`.execute(
      trx,
    );
    const { rows } = await sql<{ overlap: string }>`
      with others as (
        select distinct o.node_id from space_member m
        join space_member o on o.space_id = m.space_id and o.node_id <> m.node_id
        where m.node_id = ${node.id}
      ), networks as (
        select node_id, network from lan_section where enable_forward
        union all select node_id, network6 from lan_section
          where enable_forward and network6 is not null
        union all select node_id, destination from static_route where enabled and announce
        union all select node_id, unnest(announced) from node_pin
      )
      select n.name || ' ' || w.network as overlap from networks w
      join others using (node_id) join node n on n.id = w.node_id
      where exists (select from unnest(${announced}::inet[]) a where a && w.network::inet)
      order by 1 limit 5`.execute(trx);
    return rows.map(({ overlap }) => overlap);
  });
}

export function findPin(ctx: Context, nodeId: number) {
  return ctx.db.selectFrom("node_pin").selectAll().where("node_id", "=", nodeId).executeTakeFirst();
}

/** Holds the node at the state. */
export async function writePin(ctx: Context, state: StateRow, past: DesiredState): Promise<void> {
  const { epoch, serial } = state;
  const values = {
    ...{ epoch, serial, login_name: ctx.caller.loginName, created_by: ctx.caller.userId },
    announced: sql<string[]>`${announcedIn(past)}::text[]`,
  };
  await ctx.db
    .insertInto("node_pin")
    .values({ node_id: state.node_id, enterprise_id: state.enterprise_id, ...values })
    .onConflict((conflict) =>
      conflict.column("node_id").doUpdateSet({ ...values, created_at: sql`now()` }),
    )
    .execute();
}

export async function removePin(ctx: Context, nodeId: number): Promise<void> {
  await ctx.db.deleteFrom("node_pin").where("node_id", "=", nodeId).execute();
}
