import { EnterpriseFrame } from "#domains/enterprises/parts/enterprise/enterprise-frame.tsx";
import { CpeListPage } from "./cpe-list.tsx";

/** Sites of one enterprise, the worst first. */
export default function EnterpriseSitesPage() {
  return (
    <EnterpriseFrame tab="sites">{(groupid) => <CpeListPage groupid={groupid} />}</EnterpriseFrame>
  );
}
