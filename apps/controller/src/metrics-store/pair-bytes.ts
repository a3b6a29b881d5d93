/** Bytes that pairs of nodes moved over the links between them. */
import type { Engine } from "./engine.ts";
import type { Page, Paging } from "./flow-store.ts";
import { type Level, levels } from "./schema.ts";
import { boundsOf, choose, type Range } from "./steps.ts";

/** A link of a pair of nodes; `pair` is any key that its links share. */
export interface PairedLink {
  readonly id: number;
  readonly pair: string;
  /** Measured at the pair's second node. */
  readonly isReversed: boolean;
}

/** Bytes towards the pair's first node and away from it: mean rates, times the time they stand for. */
export interface PairBytes {
  readonly pair: string;
  readonly inBytes: number;
  readonly outBytes: number;
}

/** A link is measured at one end only, so its id alone says which metrics are its own. */
const pairsSql = (level: Level): string => {
  const { table, average } = levels[level];
  const bytes = (rate: string) => `sum(ifNull(${rate}, 0)) * {step:UInt32} / 8`;
  return `select pair, ${bytes("a_in")} as in_bytes, ${bytes("a_out")} as out_bytes,
    count() over () as pairs from (
      select transform(m.item, {links:Array(String)},
          {pairs:Array(String)}, '') as pair,
        m.item as item, intDiv(toUnixTimestamp(m.at), {step:UInt32}) as bucket,
        ${average}(m.in_rate) as near, ${average}(m.out_rate) as far,
        has({reversed:Array(String)}, item) as is_reversed,
        if(is_reversed, far, near) as a_in, if(is_reversed, near, far) as a_out
      from ${table} as m
      where m.kind = 'link' and m.item in {links:Array(String)}
        and m.at >= toDateTime({from:UInt32}, 'UTC') and m.at < toDateTime({to:UInt32}, 'UTC')
      group by pair, item, bucket)
  group by pair order by in_bytes + out_bytes desc, pair
  limit {limit:UInt32} offset {skipped:UInt32}`;
};

/** One page of pairs, the one that moved most first. */
export async function readPairs(
  engine: Engine,
  links: readonly PairedLink[],
  range: Range,
  { page, limit }: Paging,
  now: number,
): Promise<Page<PairBytes>> {
  if (links.length === 0) return { rows: [], count: 0 };
  const { step, level } = choose(range, now);
  const { from, to } = boundsOf(range, step);
  const rows = (await engine.query(pairsSql(level), {
    step,
    from,
    to,
    limit,
    skipped: (page - 1) * limit,
    links: links.map(({ id }) => String(id)),
    pairs: links.map(({ pair }) => pair),
    reversed: links.flatMap((link) => (link.isReversed ? [String(link.id)] : [])),
  })) as readonly Readonly<Record<string, string | number>>[];
  return {
    rows: rows.map(({ pair, in_bytes, out_bytes }) => ({
      pair: String(pair),
      inBytes: Math.round(Number(in_bytes)),
      outBytes: Math.round(Number(out_bytes)),
    })),
    // A page beyond the last has no row with the count.
    count: Number(rows[0]?.pairs ?? 0),
  };
}
