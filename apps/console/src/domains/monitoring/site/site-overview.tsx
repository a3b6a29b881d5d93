import type { ReactNode } from "react";
import { useMay } from "#client/session.tsx";
import { NodeDrift } from "#domains/delivery/parts/state/node-drift.tsx";
import { Capabilities, ReportedLines } from "#domains/devices/parts/node/node-facts.tsx";
import type { OpenSite } from "#domains/devices/parts/site/site-frame.tsx";
import { IsItUs } from "#domains/monitoring/parts/site/is-it-us.tsx";
import { Timeline } from "#domains/monitoring/parts/site/timeline.tsx";
import { Loading } from "#feedback/empty-state.tsx";
import { later } from "#feedback/later.tsx";

/** It is below what the page is opened for. */
const EffectivePolicyCard = later(
  async () =>
    (await import("#domains/delivery/parts/effective/effective-policy.tsx")).EffectivePolicyCard,
  <Loading />,
);

interface Props {
  readonly site: OpenSite;
  /** Cards of this kind of node alone. */
  readonly last?: ReactNode;
}

/** Why a site is as it is: what happened on one axis, whether others have it too, then what the device says. */
export function SiteOverviewCards({ site: { overview, state, picked }, last }: Props) {
  const may = useMay();
  const { node } = overview;
  const canAct = may(node.kind === "cpe" ? "cpeConfig" : "popConfig");
  return (
    <>
      <IsItUs overview={overview} />
      <Timeline overview={overview} picked={picked} />
      <div className="w-card-grid">
        <ReportedLines state={state} />
        <div className="w-stack">
          <NodeDrift node={node} state={state} canAct={canAct} />
          <Capabilities state={state} />
        </div>
        {canAct && (
          <div className="w-wide">
            <EffectivePolicyCard owner={{ [node.kind === "cpe" ? "cpeId" : "popId"]: node.id }} />
          </div>
        )}
        {last && <div className="w-wide">{last}</div>}
      </div>
    </>
  );
}
