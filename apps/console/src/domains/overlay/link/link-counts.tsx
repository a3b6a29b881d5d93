import { linkList } from "@weft/contract/domains/overlay/link.ts";
import { useCall } from "#client/use-call.ts";
import type { LinkRow } from "#domains/devices/parts/node/link-end.ts";
import type { List } from "#kernel/list/use-list.ts";
import { StateCounts } from "#ui/glyph.tsx";
import { useLinkTexts } from "./messages.ts";

/** Measures come every five seconds; a page of them is asked for as often. */
export const linksEvery = 5_000;

interface Filters {
  readonly netSpaceId: number;
  readonly nodeId: number;
  readonly besideId: number;
  readonly isp: string;
  readonly status: number;
  readonly trouble: boolean;
  readonly name: string;
  readonly worst: boolean;
}

/** How many links of a list are down and up; a press filters it. */
export function LinkCounts({ list }: { readonly list: List<LinkRow, Filters> }) {
  const t = useLinkTexts();
  const count = (status: number) => ({ ...list.filters, worst: null, status, page: 1, limit: 1 });
  const down = useCall(linkList, count(0), { every: linksEvery, keep: true });
  const up = useCall(linkList, count(1), { every: linksEvery, keep: true });
  return (
    <StateCounts
      counts={[
        { glyph: "bad", count: down.count ?? 0, label: t.code("linkUp", 0) },
        { glyph: "ok", count: up.count ?? 0, label: t.code("linkUp", 1) },
      ]}
      onPick={(glyph) => {
        const status = glyph === "ok" ? 1 : 0;
        list.setFilter("status", list.filters.status === status ? null : status);
      }}
    />
  );
}
