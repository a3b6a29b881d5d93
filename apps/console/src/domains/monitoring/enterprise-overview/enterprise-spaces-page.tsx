import { EnterpriseFrame } from "#domains/enterprises/parts/enterprise/enterprise-frame.tsx";
import { NetSpaceList } from "#domains/overlay/parts/net-space/net-space-list.tsx";

/** Network spaces of one enterprise, each with the way to its links. */
export default function EnterpriseSpacesPage() {
  return (
    <EnterpriseFrame tab="spaces">
      {(groupid) => <NetSpaceList groupid={groupid} />}
    </EnterpriseFrame>
  );
}
