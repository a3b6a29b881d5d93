import { EnterpriseList } from "./enterprise-list.tsx";

/** Customers and agents (section 2.3). */
export default function EnterprisePage() {
  return <EnterpriseList />;
}
