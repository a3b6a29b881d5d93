import { popFindById } from "@weft/contract/domains/devices/pop.ts";
import { useNumberParam } from "#client/paths.ts";
import { refreshEvery, useCall } from "#client/use-call.ts";
import { cardOfPop } from "#domains/devices/parts/node/node-card.ts";
import { NodeDetail } from "#domains/devices/parts/node/node-detail.tsx";
import { NodeScreen } from "#domains/devices/parts/node/node-screen.tsx";
import { AutoRefresh } from "#parts/auto-refresh.tsx";

/** How one POP is now: verdict, links, lines, capabilities, tasks. */
export default function PopDetailPage() {
  return (
    <AutoRefresh screen="popDetail">
      <Details />
    </AutoRefresh>
  );
}

function Details() {
  const id = useNumberParam("id");
  const asked = useCall(popFindById, id === null ? null : { id }, { every: refreshEvery });
  return (
    <NodeScreen id={id} asked={asked}>
      {(row) => <NodeDetail node={cardOfPop(row)} />}
    </NodeScreen>
  );
}
