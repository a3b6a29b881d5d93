import type { circuit } from "@weft/contract/domains/overlay/circuit.ts";
import type { DraftOf } from "@weft/contract/kernel/resource.ts";
import { sql } from "kysely";
import { sharePops } from "#domains/devices/public.ts";
import type { Context } from "#kernel/api.ts";
import { refuseField } from "#kernel/refuse.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { type LineRates, minBandwidth, rateThrough } from "./rules.ts";

type Draft = DraftOf<typeof circuit>;

interface End {
  readonly id: number;
  readonly enterprise_id: number;
  readonly kind: "cpe" | "pop";
  readonly lines: readonly LineRates[];
}

export interface Ends {
  readonly source_id: number;
  readonly source_enterprise_id: number;
  readonly target_id: number;
  readonly target_enterprise_id: number;
}

/**
 * Both ends of a draft, checked: CPEs of the circuit's enterprise, or POPs that the caller may
 * read, and lines that carry the bandwidth. A foreign node is refused as one that is not there.
 */
export async function requireEnds(ctx: Context, draft: Draft): Promise<Ends> {
  const { rows } = await sql<End>`
    select n.id, n.enterprise_id, n.kind,
      coalesce((select jsonb_agg(jsonb_build_object('up', l.up_kbps, 'down', l.down_kbps))
        from line l where l.node_id = n.id), '[]') as lines
    from node n
    where n.id = any(${[draft.sourceId, draft.targetId]}::bigint[])
      and (n.kind = 'pop' or (n.enterprise_id = ${draft.groupid}
        and ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")}))`.execute(ctx.db);
  const end = (id: number, field: string): End =>
    rows.find((row) => row.id === id) ?? refuseField(field, "unknown");
  const source = end(draft.sourceId, "sourceId");
  const target = end(draft.targetId, "targetId");
  const maxBandwidth = Math.min(rateThrough(source.lines), rateThrough(target.lines));
  if (draft.bandwidth > maxBandwidth) {
    refuseField("bandwidth", "outOfRange", { min: minBandwidth, max: maxBandwidth });
  }
  await sharePops(ctx, draft.groupid, [source, target]);
  return {
    source_id: source.id,
    source_enterprise_id: source.enterprise_id,
    target_id: target.id,
    target_enterprise_id: target.enterprise_id,
  };
}
