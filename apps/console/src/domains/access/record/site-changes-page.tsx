import { nodeState } from "@weft/contract/domains/delivery/node-state.ts";
import { useMay } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { NodeHistory } from "#domains/delivery/parts/history/node-history.tsx";
import { NodeTasks } from "#domains/delivery/parts/tasks/node-tasks.tsx";
import { type OpenSite, SiteFrame } from "#domains/devices/parts/site/site-frame.tsx";
import { EmptyState } from "#feedback/empty-state.tsx";
import { OperationList } from "./operation-list.tsx";

/** Who changed what on one site or POP, the configurations that came of it, and their delivery. */
export default function SiteChangesPage() {
  const t = useTexts();
  // The operation log opens this tab; the site around it is opened by other entries.
  const maySeeSite = useMay()(nodeState.may);
  if (!maySeeSite) return <EmptyState kind="good" text={t("page.forbiddenWhat")} />;
  return <SiteFrame tab="changes">{(site) => <Changes {...site} />}</SiteFrame>;
}

function Changes({ overview: { node, state } }: OpenSite) {
  const may = useMay();
  const mayConfigure = may(node.kind === "cpe" ? "cpeConfig" : "popConfig");
  return (
    <>
      <OperationList nodeId={node.id} />
      {mayConfigure && state.configVisible && <NodeHistory node={node} />}
      <NodeTasks node={node} />
    </>
  );
}
