import { useMay } from "#client/session.tsx";
import { NodeHistory } from "#domains/delivery/parts/history/node-history.tsx";
import { NodeTasks } from "#domains/delivery/parts/tasks/node-tasks.tsx";
import { type OpenSite, SiteFrame } from "#domains/monitoring/parts/site/site-frame.tsx";
import { OperationList } from "./operation-list.tsx";

/** Who changed what on one site or POP, the configurations that came of it, and their delivery. */
export default function SiteChangesPage() {
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
