import { cpeFindById } from "@weft/contract/domains/devices/cpe.ts";
import { useNumberParam } from "#client/paths.ts";
import { refreshEvery, useCall } from "#client/use-call.ts";
import { NodeActions } from "#domains/devices/parts/node/node-actions.tsx";
import { cardOfCpe, type NodeCard } from "#domains/devices/parts/node/node-card.ts";
import { NodeHead } from "#domains/devices/parts/node/node-head.tsx";
import { NodeLinks } from "#domains/devices/parts/node/node-links.tsx";
import { NodeScreen } from "#domains/devices/parts/node/node-screen.tsx";
import { useNodeLinks, useNodeState } from "#domains/devices/parts/node/use-node.ts";
import { Loading } from "#feedback/empty-state.tsx";
import { NeighborTable } from "./neighbor-table.tsx";

/** Who one CPE is linked with, by which lines, and how well (section 2.4). */
export default function CpeNeighborPage() {
  const id = useNumberParam("id");
  const result = useCall(cpeFindById, id === null ? null : { id }, { every: refreshEvery });
  return (
    <NodeScreen id={id} result={result}>
      {(row) => <Neighbors node={cardOfCpe(row)} />}
    </NodeScreen>
  );
}

function Neighbors({ node }: { readonly node: NodeCard }) {
  const state = useNodeState(node.id);
  const links = useNodeLinks(node.id);
  return (
    <>
      <NodeHead
        node={node}
        state={state.data}
        actions={<NodeActions node={node} on="settings" />}
      />
      {state.isFirstLoad || links.isFirstLoad ? (
        // The head has its height then: what is below it no longer moves.
        <Loading rows={12} />
      ) : (
        <>
          <NeighborTable id={node.id} />
          <NodeLinks nodeId={node.id} links={links} />
        </>
      )}
    </>
  );
}
