import { popFindById } from "@weft/contract/resources/pop.ts";
import { useNumberParam } from "#client/paths.ts";
import { refreshEvery, useCall } from "#client/use-call.ts";
import { AutoRefresh } from "#parts/auto-refresh.tsx";
import { cardOfPop } from "#parts/node/node-card.ts";
import { NodeDetail } from "#parts/node/node-detail.tsx";
import { NodeScreen } from "#parts/node/node-screen.tsx";

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
