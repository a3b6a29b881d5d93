import type { ReactNode } from "react";
import { Link } from "react-router";
import { paths } from "#client/paths.ts";
import { useMay } from "#client/session.tsx";
import { AvailabilityStrip } from "#domains/monitoring/parts/availability/availability-strip.tsx";
import { NodeMetrics } from "#domains/monitoring/parts/metrics/node-metrics.tsx";
import { Failed, Loading } from "#feedback/empty-state.tsx";
import { byTrouble } from "./link-end.ts";
import { NodeActions } from "./node-actions.tsx";
import type { NodeCard } from "./node-card.ts";
import { NodeDrift } from "./node-drift.tsx";
import { Capabilities, ReportedLines } from "./node-facts.tsx";
import { NodeHead } from "./node-head.tsx";
import { NodeHistory } from "./node-history.tsx";
import { NodeLinks } from "./node-links.tsx";
import { NodeTasks } from "./node-tasks.tsx";
import { useNodeTexts } from "./node-texts.ts";
import { useNodeLinks, useNodeState } from "./use-node.ts";
import { verdictOf } from "./verdict.ts";
import { VerdictLine } from "./verdict-line.tsx";

interface Props {
  readonly node: NodeCard;
}

interface DetailProps extends Props {
  /** A card of this kind of node alone. It comes with the others, so that it does not move. */
  readonly last?: ReactNode;
}

/** The page of one node: verdict, links as they are now, what the device has and can, its tasks. */
export function NodeDetail({ node, last }: DetailProps) {
  const state = useNodeState(node.id);
  const links = useNodeLinks(node.id);
  const verdict =
    state.data && verdictOf(state.data, node.enrolment, links.data ?? [], links.count ?? 0);
  return (
    <>
      <NodeHead
        node={node}
        state={state.data}
        sentence={verdict ? <VerdictLine verdict={verdict} node={node} /> : null}
        actions={<NodeActions node={node} on="detail" />}
      />
      {state.isFirstLoad || links.isFirstLoad ? (
        // What is above them has its height by then: they do not move once shown.
        <Loading rows={12} />
      ) : (
        <Cards node={node} last={last} state={state} links={links} />
      )}
    </>
  );
}

interface CardsProps extends DetailProps {
  readonly state: ReturnType<typeof useNodeState>;
  readonly links: ReturnType<typeof useNodeLinks>;
}

function Cards({ node, last, state, links }: CardsProps) {
  const may = useMay();
  const canConfigure = may(node.kind === "cpe" ? "cpeConfig" : "popConfig");
  return (
    <div className="w-card-grid">
      <div className="w-wide">
        <NodeLinks nodeId={node.id} links={links} />
      </div>
      <div className="w-wide">
        <AvailabilityStrip kind="node" id={node.id} />
      </div>
      <div className="w-wide">
        <NodeMetrics
          nodeId={node.id}
          links={[...(links.data ?? [])].sort(byTrouble).map(({ id, name }) => ({ id, name }))}
          more={<ReportLinks node={node} />}
        />
      </div>
      {state.data ? (
        <>
          <ReportedLines state={state.data} />
          <Capabilities state={state.data} />
          <NodeDrift node={node} state={state.data} canAct={canConfigure} />
        </>
      ) : state.error ? (
        <Failed error={state.error} retry={state.refetch} />
      ) : (
        <Loading rows={3} />
      )}
      <div className="w-wide">
        <NodeTasks node={node} />
      </div>
      {canConfigure && (
        <div className="w-wide">
          <NodeHistory node={node} />
        </div>
      )}
      {last && <div className="w-wide">{last}</div>}
    </div>
  );
}

/** Links to the same metrics in detail, and to the log of the node. */
function ReportLinks({ node: { id, kind } }: Props) {
  const t = useNodeTexts();
  const isCpe = kind === "cpe";
  const report = isCpe ? paths.cpeReport(id, "flow") : paths.popReport(id, "line");
  return (
    <>
      <Link className="w-link" to={report}>
        {t("node.report")}
      </Link>
      <Link className="w-link" to={paths.nodeLog(kind, id)}>
        {t("node.log")}
      </Link>
    </>
  );
}
