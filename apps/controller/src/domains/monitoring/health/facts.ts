/** What the database knows of nodes, for their health. */
import type { EnrolmentState } from "@weft/contract/domains/devices/enums.ts";
import { linkLimits } from "@weft/contract/domains/overlay/link-quality.ts";
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import { staleAfter } from "#domains/overlay/link/public.ts";
import type { HealthFacts } from "./verdict.ts";

/** Alarms of this severity and worse are a matter of health (spec/enums.json alarmLevel: 1 critical). */
const worstLevel = 2;

export interface NodeFacts extends HealthFacts {
  readonly id: number;
  readonly enterpriseId: number;
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
  readonly link_down_at: Date | null;
  readonly peer: string | null;
  readonly loss: number | null;
  readonly delay: number | null;
  readonly alarm: string | null;
  readonly alarm_at: Date;
  readonly missing: string | null;
  readonly missing_since: Date | null;
}

/** As a sentence shows it. */
const rounded = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 10) / 10;

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
  linkDownAt: row.link_down_at,
  peer: row.peer,
  loss: rounded(row.loss),
  delay: rounded(row.delay),
  missing: row.missing === null ? null : { name: row.missing, since: row.missing_since },
  alarm: row.alarm === null ? null : { name: row.alarm, at: row.alarm_at },
});

/** Facts of the nodes that exist, in no order. */
export async function readFacts(trx: Transaction<Database>, nodes: readonly number[]) {
  const { loss, delay, jitter } = linkLimits.poor;
  const { rows } = await sql<Row>`
    select f.*, m.name as missing, m.since as missing_since
    from weft.node_facts(${[...nodes]}::bigint[], ${staleAfter}, ${loss}, ${delay}, ${jitter},
      ${worstLevel}) f
    left join weft.standby_missing(${[...nodes]}::bigint[]) m on m.node_id = f.id`.execute(trx);
  return rows.map(toFacts);
}
