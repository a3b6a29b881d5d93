import { EnterpriseFrame } from "#domains/enterprises/parts/enterprise/enterprise-frame.tsx";
import { EnterpriseList } from "./enterprise-list.tsx";

/** Enterprises directly below one. */
export default function EnterpriseCustomersPage() {
  return (
    <EnterpriseFrame tab="customers">
      {(groupid) => <EnterpriseList parentId={groupid} />}
    </EnterpriseFrame>
  );
}
