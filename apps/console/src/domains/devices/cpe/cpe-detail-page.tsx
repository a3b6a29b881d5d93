import { cpeFindById } from "@weft/contract/domains/devices/cpe.ts";
import { useNumberParam } from "#client/paths.ts";
import { refreshEvery, useCall } from "#client/use-call.ts";
import { cardOfCpe } from "#domains/devices/parts/node/node-card.ts";
import { NodeDetail } from "#domains/devices/parts/node/node-detail.tsx";
import { NodeScreen } from "#domains/devices/parts/node/node-screen.tsx";
import { AutoRefresh } from "#parts/auto-refresh.tsx";
import { ContactLog } from "./contact-log.tsx";

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
      {(row) => <NodeDetail node={cardOfCpe(row)} last={<ContactLog node={cardOfCpe(row)} />} />}
    </NodeScreen>
  );
}
