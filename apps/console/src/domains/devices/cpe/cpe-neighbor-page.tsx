import { cpeFindById } from "@weft/contract/domains/devices/cpe.ts";
import { neighborReport } from "@weft/contract/domains/monitoring/node-report.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { paths, useNumberParam } from "#client/paths.ts";
import { refreshEvery, useCall } from "#client/use-call.ts";
import { NodeActions } from "#domains/devices/parts/node/node-actions.tsx";
import { cardOfCpe, type NodeCard } from "#domains/devices/parts/node/node-card.ts";
import { NodeHead } from "#domains/devices/parts/node/node-head.tsx";
import { NodeLinks } from "#domains/devices/parts/node/node-links.tsx";
import { NodeScreen } from "#domains/devices/parts/node/node-screen.tsx";
import { useNodeLinks, useNodeState } from "#domains/devices/parts/node/use-node.ts";
import { EmptyState, Failed, Loading } from "#feedback/empty-state.tsx";
import {
  type Column,
  nameColumn,
  numberColumn,
  stateColumn,
  textColumn,
} from "#kernel/list/columns.tsx";
import { PlainTable } from "#kernel/list/resource-table.tsx";
import { Card } from "#ui/card.tsx";
import { useCpeTexts } from "./cpe-texts.ts";

type Neighbor = OutputOf<typeof neighborReport>[number];

/** Nodes that a CPE has links with, those with a link down first. */
function NeighborTable({ id }: { readonly id: number }) {
  const t = useCpeTexts();
  const result = useCall(neighborReport, { id }, { every: refreshEvery });
  const columns: Column<Neighbor>[] = [
    stateColumn("state", t("neighbor.state"), (row: Neighbor) => ({
      glyph: row.linkStatus ? "ok" : "bad",
      label: t.code("linkStatus", row.linkStatus),
    })),
    nameColumn("name", t("neighbor.node"), (row: Neighbor) => ({
      text: row.name,
      to: row.kind === "cpe" ? paths.cpeNeighbor(row.id) : paths.popDetail(row.id),
    })),
    textColumn("kind", t("neighbor.kind"), (row: Neighbor) => row.kind.toUpperCase()),
    textColumn("links", t("neighbor.links"), (row: Neighbor) => `${row.linksUp} / ${row.links}`),
    numberColumn("delay", t("neighbor.delay"), (row: Neighbor) => row.delay, { digits: 1 }),
  ];
  return (
    <Card title={t("neighbor.title")} flush>
      {result.error && !result.data ? (
        <Failed error={result.error} retry={result.refetch} />
      ) : (
        <PlainTable
          rows={result.data ?? []}
          rowKey="id"
          columns={columns}
          isFirstLoad={result.isFirstLoad}
          empty={<EmptyState kind="first" text={t("neighbor.none")} />}
        />
      )}
    </Card>
  );
}

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
