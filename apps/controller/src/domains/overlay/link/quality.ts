/** Which links are beyond the limits of their enterprise's traffic, kept for everything that shows links. */
import {
  assessLink,
  type ClassLimits,
  classLimits,
  type ExcessMetric,
  type LinkExcess,
  qualityWindow,
} from "@weft/contract/domains/devices/link-quality.ts";
import { strictestLimits } from "@weft/contract/domains/overlay/traffic-class.ts";
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import { type StoredClasses, toDraft } from "#domains/overlay/traffic-class/public.ts";

/** A row of `weft.doubtful_links`. */
interface DoubtfulLink {
  readonly link_id: number;
  readonly enterprise_id: number;
  readonly minute: number | null;
  readonly past_loss: readonly number[];
  readonly past_rtt: readonly number[];
  readonly past_jitter: readonly number[];
  /** The row of the enterprise's classes of traffic; null: it has none. */
  readonly classes: StoredClasses | null;
  readonly path_state: "brownout" | "oneWay" | "flapping" | null;
  readonly path_loss: number | null;
  readonly path_rtt: number | null;
  readonly path_jitter: number | null;
  readonly path_since: Date;
  readonly now: Date;
  readonly metric: ExcessMetric | null;
  readonly value: number | null;
  readonly over: number | null;
  readonly since: Date;
}

const minuteMs = 60_000;

const keptOf = ({ metric, value, over: limit, since }: DoubtfulLink): LinkExcess | null =>
  metric === null ? null : { metric, value, limit, since };

/** What a device finds of one direction, which the mean of both may hide. */
function ofDirection(link: DoubtfulLink, limits: ClassLimits): LinkExcess | null {
  const { path_state: state, path_since: since } = link;
  if (state === null) return null;
  // As for the mean of both: what does not last for minutes is no state of a link.
  if (link.now.getTime() - since.getTime() < qualityWindow.least * minuteMs) return null;
  if (state !== "brownout") return { metric: state, value: null, limit: null, since };
  const measured = [
    ["loss", link.path_loss],
    ["delay", link.path_rtt],
    ["jitter", link.path_jitter],
  ] as const;
  const excesses = measured.flatMap(([metric, value]) => {
    const limit = limits[metric];
    return value === null || limit === null ? [] : [{ metric, value, limit, since }];
  });
  return excesses.toSorted((a, b) => b.value / b.limit - a.value / a.limit)[0] ?? null;
}

function excessOf(link: DoubtfulLink): LinkExcess | null {
  const limits = strictestLimits(link.classes && toDraft(link.classes));
  const means = {
    loss: link.past_loss,
    delay: link.past_rtt,
    jitter: link.past_jitter,
    until: new Date((link.minute ?? 0) * minuteMs),
  };
  return assessLink(means, limits, keptOf(link)) ?? ofDirection(link, limits);
}

/** Compares the links that the given nodes probe with the limits again, and keeps what changed. */
export async function renewLinkQuality(
  trx: Transaction<Database>,
  nodes: readonly number[],
): Promise<void> {
  const { loss, delay, jitter } = classLimits.realtime;
  const { rows: links } = await sql<DoubtfulLink>`
    select d.*, now() as now from weft.doubtful_links(${[...nodes]}::bigint[], ${loss}, ${delay}, ${jitter}) d`.execute(
    trx,
  );
  const evaluated = links.map((link) => ({ link, excess: excessOf(link) }));
  const well = evaluated.flatMap(({ link, excess }) =>
    excess === null && link.metric !== null ? [link.link_id] : [],
  );
  const poor = evaluated.flatMap(({ link, excess }) => {
    if (excess === null) return [];
    const { metric, value, limit, since } = excess;
    const isKept = metric === link.metric && value === link.value && limit === link.over;
    const { link_id, enterprise_id } = link;
    return isKept ? [] : [{ link_id, enterprise_id, metric, value, over: limit, since }];
  });
  if (well.length > 0) {
    await sql`delete from link_quality where link_id = any(${well}::bigint[])`.execute(trx);
  }
  if (poor.length === 0) return;
  await sql`
    insert into link_quality (link_id, enterprise_id, metric, value, over, since)
    select link_id, enterprise_id, metric, value, over, since
    from jsonb_to_recordset(${JSON.stringify(poor)}::jsonb) as p (link_id bigint,
      enterprise_id bigint, metric text, value real, over real, since timestamptz)
    on conflict (link_id) do update set metric = excluded.metric, value = excluded.value,
      over = excluded.over, since = excluded.since`.execute(trx);
}
