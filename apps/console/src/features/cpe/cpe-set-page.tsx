import { cpeFindById } from "@weft/contract/resources/cpe.ts";
import { lanSection } from "@weft/contract/resources/lan-section.ts";
import { line } from "@weft/contract/resources/line.ts";
import { staticRoute } from "@weft/contract/resources/static-route.ts";
import { useResourceList } from "#kernel/list/use-list.ts";
import { LineSection } from "#kernel/node/line-section.tsx";
import { NodeActions } from "#kernel/node/node-actions.tsx";
import { cardOfCpe, type NodeCard } from "#kernel/node/node-card.ts";
import { NodeHead } from "#kernel/node/node-head.tsx";
import { NodeScreen } from "#kernel/node/node-screen.tsx";
import { NodeSettings } from "#kernel/node/node-settings.tsx";
import { useNodeState } from "#kernel/node/use-node.ts";
import { useNumberParam } from "#kernel/paths.ts";
import { useMay } from "#kernel/session.tsx";
import { refreshEvery, useCall } from "#kernel/use-call.ts";
import { type CpeTexts, useCpeTexts } from "./cpe-texts.ts";
import { LanSections } from "./lan-section.tsx";
import { StaticRoutes } from "./static-routes.tsx";

/** What is set on one CPE. Each row goes out as soon as it is saved. */
export default function CpeSetPage() {
  const id = useNumberParam("id");
  const asked = useCall(cpeFindById, id === null ? null : { id }, { every: refreshEvery });
  return (
    <NodeScreen id={id} asked={asked}>
      {(row) => <CpeSettings node={cardOfCpe(row)} />}
    </NodeScreen>
  );
}

function CpeSettings({ node }: { readonly node: NodeCard }) {
  const t = useCpeTexts();
  const state = useNodeState(node.id);
  const sections = useSections(node, t);
  return (
    <>
      <NodeHead
        node={node}
        state={state.data}
        actions={<NodeActions node={node} on="settings" />}
      />
      <NodeSettings sections={sections} />
    </>
  );
}

/** Sections with their counts; a section without its permission is absent (section 6). */
function useSections(node: NodeCard, t: CpeTexts) {
  const may = useMay();
  const inside = { every: refreshEvery, inUrl: false } as const;
  const ofCpe = { ...inside, fixed: { nCpeID: node.id } };
  const lines = useResourceList(line, { ...inside, fixed: { nodeId: node.id } });
  const lans = useResourceList(lanSection, ofCpe);
  const routes = useResourceList(staticRoute, ofCpe);
  return [
    {
      key: "lines",
      label: t("cpe.lines"),
      may: line.may.list,
      count: lines.count,
      body: () => <LineSection node={node} list={lines} />,
    },
    {
      key: "lans",
      label: t("cpe.lans"),
      may: lanSection.may.list,
      count: lans.count,
      body: () => <LanSections node={node} list={lans} />,
    },
    {
      key: "routes",
      label: t("cpe.routes"),
      may: staticRoute.may.list,
      count: routes.count,
      body: () => <StaticRoutes node={node} list={routes} />,
    },
  ].filter((section) => may(section.may));
}
