import { cpeFindById } from "@weft/contract/resources/cpe.ts";
import { AutoRefresh } from "#kernel/auto-refresh.tsx";
import { cardOfCpe } from "#kernel/node/node-card.ts";
import { NodeDetail } from "#kernel/node/node-detail.tsx";
import { NodeScreen } from "#kernel/node/node-screen.tsx";
import { useNumberParam } from "#kernel/paths.ts";
import { refreshEvery, useCall } from "#kernel/use-call.ts";

/** How one CPE is now: verdict, links, lines, capabilities, tasks. */
export default function CpeDetailPage() {
  return (
    <AutoRefresh screen="cpeDetail">
      <Details />
    </AutoRefresh>
  );
}

function Details() {
  const id = useNumberParam("id");
  const asked = useCall(cpeFindById, id === null ? null : { id }, { every: refreshEvery });
  return (
    <NodeScreen id={id} asked={asked}>
      {(row) => <NodeDetail node={cardOfCpe(row)} />}
    </NodeScreen>
  );
}
