import { popFindById } from "@weft/contract/resources/pop.ts";
import { AutoRefresh } from "#kernel/auto-refresh.tsx";
import { cardOfPop } from "#kernel/node/node-card.ts";
import { NodeDetail } from "#kernel/node/node-detail.tsx";
import { NodeScreen } from "#kernel/node/node-screen.tsx";
import { useNumberParam } from "#kernel/paths.ts";
import { refreshEvery, useCall } from "#kernel/use-call.ts";

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
