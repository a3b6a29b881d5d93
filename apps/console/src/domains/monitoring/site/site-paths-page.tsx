import { NodeLinks } from "#domains/devices/parts/node/node-links.tsx";
import { useNodeLinks } from "#domains/devices/parts/node/use-node.ts";
import { SiteFrame } from "#domains/devices/parts/site/site-frame.tsx";
import { AvailabilityStrip } from "#domains/monitoring/parts/availability/availability-strip.tsx";
import { PathMoves } from "#domains/overlay/parts/path/moves.tsx";

/** Links of one site or POP as they are now, the worst first, and when the device was in contact. */
export default function SitePathsPage() {
  return <SiteFrame tab="paths">{({ overview }) => <Paths id={overview.node.id} />}</SiteFrame>;
}

function Paths({ id }: { readonly id: number }) {
  const links = useNodeLinks(id);
  return (
    <>
      <NodeLinks nodeId={id} links={links} />
      <PathMoves nodeId={id} />
      <AvailabilityStrip kind="node" id={id} />
    </>
  );
}
