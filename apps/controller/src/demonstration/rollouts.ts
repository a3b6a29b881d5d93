/** Rollouts that were underway before the demonstration started: one waits, one was halted, one rolled back. */
import type {
  MemberOutcome,
  RolloutState,
  WaveFailure,
} from "@weft/contract/domains/templates/rollout.ts";
import { type Kysely, sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import { openIssueTasks } from "#domains/delivery/lifecycle/public.ts";

type Trx = Transaction<Database>;

/** Links up and loss in percent, before and after. */
interface PastMember {
  readonly site: string;
  readonly wave: number;
  readonly outcome: MemberOutcome;
  readonly failure?: WaveFailure;
  readonly links?: readonly [before: number, after: number];
  readonly loss?: readonly [before: number, after: number];
}

interface PastRollout {
  readonly template: string;
  readonly state: RolloutState;
  readonly isBad: boolean;
  /** The wave that is underway, or was last. */
  readonly wave: number;
  /** How long ago it started, and got into its state. */
  readonly minutes: readonly [started: number, since: number];
  readonly members: readonly PastMember[];
}

const fine = { links: [2, 2], loss: [0.1, 0.1] } as const;

const rollouts: readonly PastRollout[] = [
  {
    template: "基础接入",
    state: "waiting",
    isBad: false,
    wave: 1,
    minutes: [42, 38],
    members: [
      { site: "南京总校", wave: 1, outcome: "passed", ...fine },
      { site: "扬州校区", wave: 2, outcome: "ahead" },
      { site: "镇江校区", wave: 2, outcome: "ahead" },
      { site: "合肥校区", wave: 3, outcome: "ahead" },
    ],
  },
  {
    template: "门店上网管控",
    state: "halted",
    isBad: true,
    wave: 2,
    minutes: [190, 181],
    members: [
      { site: "金华门店-01", wave: 1, outcome: "passed", ...fine },
      {
        site: "嘉兴门店-01",
        wave: 2,
        outcome: "rolledBack",
        links: [2, 1],
        loss: [0.2, 0.2],
        failure: { gate: "links", params: { now: 1, before: 2 } },
      },
      { site: "台州门店-01", wave: 2, outcome: "rolledBack", ...fine },
      { site: "绍兴门店-01", wave: 3, outcome: "ahead" },
      { site: "义乌仓库", wave: 3, outcome: "ahead" },
    ],
  },
  {
    template: "仓库双线",
    state: "rolledBack",
    isBad: true,
    wave: 2,
    minutes: [1_560, 1_540],
    members: [
      { site: "东莞仓库", wave: 1, outcome: "rolledBack", ...fine },
      {
        site: "佛山仓库",
        wave: 2,
        outcome: "rolledBack",
        links: [2, 2],
        loss: [0.3, 12.4],
        failure: { gate: "loss", params: { now: 12.4, before: 0.3 } },
      },
      { site: "珠海口岸", wave: 3, outcome: "ahead" },
      { site: "徐州仓库", wave: 3, outcome: "ahead" },
    ],
  },
];

/** What a CPE was like: null where its wave never started. */
const sightOf = ({ links, loss }: PastMember, at: 0 | 1) =>
  links && loss ? { online: true, links: links[at], loss: loss[at], findings: [] } : null;

async function writeMembers(trx: Trx, id: number, { minutes, members }: PastRollout) {
  const rows = members.map((member) => {
    const { site, wave, outcome, failure = null } = member;
    const before = sightOf(member, 0);
    const started = before ? minutes[0] - (wave - 1) * ((minutes[0] - minutes[1]) / 2) : null;
    return { site, wave, outcome, failure, before, after: sightOf(member, 1), started };
  });
  await sql`
    update template_rollout_node r set wave = s.wave, outcome = s.outcome, failure = s.failure,
      baseline = s.before, observed = s.after, version_before = case when s.started is not null then m.version end,
      expected = '{"isKnown": true, "objects": []}',
      started_at = now() - s.started * interval '1 minute',
      steady_since = case when s.outcome = 'passed'
        then now() - (s.started - 1) * interval '1 minute' end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s (site text, wave integer,
      outcome text, failure jsonb, before jsonb, after jsonb, started float8)
    join node n on n.name = s.site join router_template_node m on m.node_id = n.id
    where r.rollout_id = ${id} and r.node_id = n.id`.execute(trx);
}

interface Reached {
  readonly node_id: number;
  readonly node_enterprise_id: number;
  readonly enterprise_id: number;
  readonly template_id: number;
  readonly version: number;
}

/** CPEs of waves that passed follow the version, with a task that ends when their devices run it. */
async function followVersion(trx: Trx, id: number, name: string): Promise<void> {
  const { rows: reached } = await sql<Reached>`
    update router_template_node m set version = r.version
    from template_rollout r join template_rollout_node x on x.rollout_id = r.id
    where r.id = ${id} and x.node_id = m.node_id and x.outcome = 'passed'
    returning m.node_id, m.node_enterprise_id, m.enterprise_id, m.template_id, m.version`.execute(
    trx,
  );
  const [first] = reached;
  if (!first) return;
  const { template_id: templateId, version, enterprise_id } = first;
  await openIssueTasks(trx, reached, { templateId, version, name, createdBy: 0 });
  const nodes = reached.map(({ node_id }) => node_id);
  await sql`
    insert into change (enterprise_id, node_ids, cause, created_by)
    values (${enterprise_id}, ${nodes}::bigint[], 'system: routerTemplateRollout.step', 0)`.execute(
    trx,
  );
}

/** Gives the rollouts that operators started the past that they would have. */
export async function writePastRollouts(db: Kysely<Database>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const past of rollouts) {
      const { state, isBad, wave, minutes } = past;
      const waves = Math.max(...past.members.map((member) => member.wave));
      const { rows } = await sql<{ id: number }>`
        update template_rollout r set state = ${state}, is_bad = ${isBad}, wave = ${wave},
          waves = ${waves}, reason = ${state === "halted" ? "gate" : null},
          created_at = now() - ${minutes[0]}::int * interval '1 minute',
          since = now() - ${minutes[1]}::int * interval '1 minute'
        from router_template t
        where t.id = r.template_id and t.name = ${past.template} and r.version = t.version
        returning r.id`.execute(trx);
      const id = rows[0]?.id;
      if (id === undefined) throw new Error(`no rollout of ${past.template}`);
      await writeMembers(trx, id, past);
      await followVersion(trx, id, past.template);
    }
  });
}
