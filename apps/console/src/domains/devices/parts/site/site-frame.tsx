import type { SiteOverview } from "@weft/contract/domains/monitoring/site-overview.ts";
import type { ReactNode } from "react";
import { inTabs, useNameWhileOpen } from "#client/page-name.ts";
import { paths, useNumberParam } from "#client/paths.ts";
import type { NodeState } from "#domains/delivery/parts/state/delivery.ts";
import { NodeActions } from "#domains/devices/parts/node/node-actions.tsx";
import { NodeHead } from "#domains/devices/parts/node/node-head.tsx";
import { NodeScreen } from "#domains/devices/parts/node/node-screen.tsx";
import { type Verdict, type VerdictLink, verdictOf } from "#domains/devices/parts/node/verdict.ts";
import { VerdictLine } from "#domains/devices/parts/node/verdict-line.tsx";
import { AutoRefresh } from "#parts/auto-refresh.tsx";
import type { PickedRange } from "#parts/range/use-range.ts";
import { InsidePage } from "#ui/page-head.tsx";
import styles from "./site-frame.module.css";
import { SiteTabs } from "./site-tabs.tsx";
import type { SiteTab } from "./tabs.ts";
import { useFreshState, useSite } from "./use-site.ts";

/** What a tab shows is about. */
export interface OpenSite {
  readonly overview: SiteOverview;
  readonly state: NodeState;
  readonly picked: PickedRange;
}

interface Props {
  readonly tab: SiteTab;
  readonly children: (site: OpenSite) => ReactNode;
}

/** The page of one site or POP: the same head over all its tabs. */
export function SiteFrame(props: Props) {
  return (
    <AutoRefresh screen="cpeDetail">
      <Loaded {...props} />
    </AutoRefresh>
  );
}

function Loaded({ tab, children }: Props) {
  const id = useNumberParam("id");
  const { result, picked } = useSite(id);
  return (
    <NodeScreen id={id} result={result}>
      {(overview) => (
        <Frame key={overview.node.id} overview={overview} picked={picked} tab={tab}>
          {children}
        </Frame>
      )}
    </NodeScreen>
  );
}

/** Names the tab, the way in the head and the title of the document after the node, as long as its page is open. */
export const useNameOfSite = ({ kind, name }: SiteOverview["node"]): void =>
  useNameWhileOpen(
    kind === "cpe" ? [...paths.nodePages(kind), inTabs(paths.cpe())] : paths.nodePages(kind),
    name,
  );

interface FrameProps extends Props {
  readonly overview: SiteOverview;
  readonly picked: PickedRange;
}

function Frame({ overview, picked, tab, children }: FrameProps) {
  const { node } = overview;
  const state = useFreshState(overview);
  useNameOfSite(node);
  const verdict = verdictOfSite(overview, state);
  return (
    <>
      <NodeHead
        node={node}
        state={state}
        sentence={<VerdictLine verdict={verdict} node={node} />}
        actions={<NodeActions node={node} on="detail" />}
      />
      <SiteTabs overview={overview} tab={tab} />
      <InsidePage value={true}>
        <div className={styles.inside}>{children({ overview, state, picked })}</div>
      </InsidePage>
    </>
  );
}

/** The verdict, with all links that are down counted: those of the page are only the worst ones. */
function verdictOfSite(overview: SiteOverview, state: NodeState): Verdict {
  const { node, linkCount } = overview;
  const verdict = verdictOf(state, node.enrolment, verdictLinks(overview), linkCount);
  const { cause } = verdict;
  if (cause.is !== "linksDown") return verdict;
  return { ...verdict, cause: { ...cause, down: Math.max(cause.down, node.links - node.linksUp) } };
}

/** Links as a verdict takes them: those of the page are the worst ones, and all of them are open. */
const verdictLinks = ({ node, links }: SiteOverview): VerdictLink[] =>
  links.map(({ slot, up, peer, excess }) => ({
    enable: true,
    excess,
    status: up ? 1 : 0,
    source: { nodeId: node.id, kind: node.kind, name: node.name, lineName: "", slot },
    target: { nodeId: peer.id, kind: peer.kind, name: peer.name, lineName: "", slot: peer.slot },
  }));
