/** CPEs that were added to an enterprise after a template took it in. */
import { sql, type Transaction } from "kysely";
import type { Logger } from "pino";
import { inScope, type Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { openIssueTasks } from "#domains/delivery/lifecycle/public.ts";
import { asWorker } from "./as-worker.ts";
import { joinRollout } from "./open-rollout.ts";

export interface TakeIn {
  /** Makes members of the CPEs that enterprises of templates have got. @returns how many */
  run(): Promise<number>;
}

interface Candidate {
  readonly template_id: number;
  readonly enterprise_id: number;
  readonly target_enterprise_id: number;
  readonly node_id: number;
}

/**
 * Any number of controllers may run it: a template is one's at a time (its row is locked), and its CPEs are included with
 * one transaction.
 */
export function createTakeIn(pools: Pools<Database>, logger: Logger): TakeIn {
  return {
    async run() {
      const { rows } = await sql<Candidate>`select * from weft.sites_to_take_in()`.execute(
        pools.worker.db,
      );
      let taken = 0;
      for (const [templateId, some] of Map.groupBy(rows, ({ template_id }) => template_id)) {
        try {
          taken += await takeIn(pools, templateId, some);
        } catch (error) {
          // The others go on.
          logger.error({ err: error, template: templateId }, "CPEs could not join a template");
        }
      }
      return taken;
    },
  };
}

const action = "routerTemplateTarget.takeIn";

async function takeIn(
  pools: Pools<Database>,
  templateId: number,
  some: readonly Candidate[],
): Promise<number> {
  const enterprises = new Set(
    some.flatMap((candidate) => [candidate.enterprise_id, candidate.target_enterprise_id]),
  );
  const scope = {
    kind: "enterprises",
    ids: [...enterprises],
    userId: null,
    ownOnly: false,
  } as const;
  return inScope(pools.worker, scope, async (trx) => {
    const template = await lock(trx, templateId);
    if (!template) return 0;
    const acting = asWorker(trx, action);
    const version = await followedByNew(trx, templateId);
    const ids = some.map(({ node_id }) => node_id);
    const joined = await insert(trx, template, ids, version);
    const nodeIds = joined.map(({ node_id }) => node_id);
    if (nodeIds.length === 0) return 0;
    await joinRollout(acting, templateId, nodeIds);
    const { id: rowId, name: templateName, enterprise_id: enterpriseId } = template;
    await acting.audit({
      resource: "routerTemplate",
      rowId,
      enterpriseId,
      old: null,
      new: { templateName, ...(version && { version }), cpeIds: nodeIds },
    });
    if (version === null) return nodeIds.length;
    await openIssueTasks(trx, joined, { templateId, version, name: templateName, createdBy: 0 });
    await acting.change({ enterpriseId, nodeIds });
    return nodeIds.length;
  });
}

type Locked = Pick<Database["router_template"], "name" | "enterprise_id"> & { readonly id: number };

async function lock(trx: Transaction<Database>, id: number): Promise<Locked | null> {
  const row = await trx
    .selectFrom("router_template")
    .select(["id", "name", "enterprise_id"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * The newest version that is not bad and went out to all; null: none, and the next issue is the first. While a newer one
 * goes out in waves, a new CPE is of its last wave.
 */
async function followedByNew(trx: Transaction<Database>, templateId: number) {
  const { rows } = await sql<{ version: number }>`
    select v.version from router_template_version v
    left join template_rollout r on r.template_id = v.template_id and r.version = v.version
    where v.template_id = ${templateId} and (r.id is null or r.state = 'completed' and not r.is_bad)
    order by v.version desc limit 1`.execute(trx);
  return rows[0]?.version ?? null;
}

interface Joined {
  readonly node_id: number;
  readonly node_enterprise_id: number;
}

/** The template is locked: its enterprises are those of now. */
async function insert(
  trx: Transaction<Database>,
  template: Locked,
  nodeIds: readonly number[],
  version: number | null,
): Promise<Joined[]> {
  const { rows } = await sql<Joined>`
    insert into router_template_node
      (node_id, enterprise_id, template_id, node_enterprise_id, version)
    select n.id, ${template.enterprise_id}, ${template.id}, n.enterprise_id, ${version}
    from node n
    join router_template_target t
      on t.template_id = ${template.id} and t.target_enterprise_id = n.enterprise_id
    where n.id = any(${[...nodeIds]}::bigint[]) and not exists (
      select from router_template_exclusion x
      where x.template_id = t.template_id and x.node_id = n.id)
    order by n.id
    on conflict do nothing returning node_id, node_enterprise_id`.execute(trx);
  return rows;
}
