import { EnterpriseFrame } from "#domains/enterprises/parts/enterprise/enterprise-frame.tsx";
import { OperationList } from "./operation-list.tsx";

/** The operation log of one enterprise. */
export default function EnterpriseChangesPage() {
  return (
    <EnterpriseFrame tab="changes">
      {(groupid) => <OperationList groupid={groupid} />}
    </EnterpriseFrame>
  );
}
