/** What the database knows of nodes, for their health. */
import type { AlarmMetric, EnrolmentState } from "@weft/contract/domains/devices/enums.ts";
import type { ExcessMetric } from "@weft/contract/domains/devices/link-quality.ts";
import { reasonMetrics } from "@weft/contract/domains/notifications/enums.ts";
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import type { HealthFacts } from "./verdict.ts";

/** Alarms of this severity and worse are a matter of health (spec/enums.json alarmLevel: 4 only informs). */
const leastLevel = 3;

export interface NodeFacts extends HealthFacts {
  readonly id: number;
  readonly enterpriseId: number;
  /** The worst of its links that are up, as measured last, percent. */
  readonly loss: number | null;
}

interface AlarmRow {
  readonly name: string;
  readonly metric: AlarmMetric;
  readonly item: string;
  readonly value: number | null;
  readonly limit: number | null;
}

/** A row of `weft.node_facts`. */
interface Row {
  readonly id: number;
  readonly enterprise_id: number;
  readonly kind: "cpe" | "pop";
  readonly enabled: boolean;
  readonly expire_at: Date | null;
  readonly is_expired: boolean;
  readonly enrolment: EnrolmentState | null;
  readonly enrolled_at: Date | null;
  readonly online: boolean;
  readonly last_seen: Date | null;
  readonly drift_steps: number;
  readonly drift_since: Date | null;
  readonly lines: number;
  readonly lines_down: readonly string[];
  readonly serial: number | null;
  readonly ending: NonNullable<HealthFacts["state"]>["ending"];
  readonly state_at: Date;
  readonly has_confirmed: boolean;
  readonly failed_at: Date | null;
  readonly findings: number;
  readonly links: number;
  readonly links_up: number;
  readonly links_poor: number;
  readonly links_new: boolean;
  readonly link_down_at: Date | null;
  readonly peer: string | null;
  readonly loss: number | null;
  readonly worst: {
    readonly slot: number;
    readonly metric: ExcessMetric;
    readonly value: number | null;
    readonly limit: number | null;
    readonly since: string;
  } | null;
  readonly alarm: AlarmRow | null;
  readonly alarm_at: Date;
  readonly missing: string | null;
  readonly missing_since: Date | null;
}

/** As a sentence shows it. */
const rounded = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 10) / 10;

/** WAN links are called by their slot, as on all screens. */
const worstOf = ({ worst }: Row): HealthFacts["worst"] =>
  worst && { ...worst, name: `wan${worst.slot}`, since: new Date(worst.since) };

const alarmOf = ({ alarm, alarm_at: at }: Row): HealthFacts["alarm"] => {
  if (alarm === null) return null;
  const { name, metric, value, limit } = alarm;
  // A reason is written out where the alarm itself is shown.
  const item = reasonMetrics.includes(metric) ? "" : alarm.item;
  return { name, metric, item, value: rounded(value), limit, at };
};

const toFacts = (row: Row): NodeFacts => ({
  id: row.id,
  enterpriseId: row.enterprise_id,
  kind: row.kind,
  enabled: row.enabled,
  isExpired: row.is_expired,
  expireAt: row.expire_at,
  enrolment: row.enrolment,
  enrolledAt: row.enrolled_at,
  online: row.online,
  lastSeen: row.last_seen,
  driftSteps: row.drift_steps,
  driftSince: row.drift_since,
  lines: row.lines,
  linesDown: row.lines_down,
  state: row.serial === null ? null : { serial: row.serial, ending: row.ending, at: row.state_at },
  hasConfirmed: row.has_confirmed,
  failedAt: row.failed_at,
  findings: row.findings,
  links: row.links,
  linksUp: row.links_up,
  linksPoor: row.links_poor,
  linksNew: row.links_new,
  linkDownAt: row.link_down_at,
  peer: row.peer,
  loss: rounded(row.loss),
  worst: worstOf(row),
  missing: row.missing === null ? null : { name: row.missing, since: row.missing_since },
  alarm: alarmOf(row),
});

/** Facts of the nodes that exist, in no order. */
export async function readFacts(trx: Transaction<Database>, nodes: readonly number[]) {
  const { rows } = await sql<Row>`
    select f.*, m.name as missing, m.since as missing_since
    from weft.node_facts(${[...nodes]}::bigint[], ${leastLevel}) f
    left join weft.standby_missing(${[...nodes]}::bigint[]) m on m.node_id = f.id`.execute(trx);
  return rows.map(toFacts);
}
