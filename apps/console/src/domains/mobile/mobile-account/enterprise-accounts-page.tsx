import { EnterpriseFrame } from "#domains/enterprises/parts/enterprise/enterprise-frame.tsx";
import { AccountList } from "./account-list.tsx";

/** Mobile and soft terminals of one enterprise. */
export default function EnterpriseAccountsPage() {
  return (
    <EnterpriseFrame tab="accounts">
      {(groupid) => <AccountList groupid={groupid} />}
    </EnterpriseFrame>
  );
}
