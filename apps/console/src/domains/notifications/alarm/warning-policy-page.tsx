import { Navigate, useSearchParams } from "react-router";
import { paths, withSearch } from "#client/paths.ts";
import { AlarmPolicies } from "./alarm-policies.tsx";

/** What is watched, and who is notified (section 2.3). */
export default function WarningPolicyPage() {
  const [search] = useSearchParams();
  if (search.get("tab") !== "events") return <AlarmPolicies />;
  // Messages of earlier versions lead to this address: alarms have a screen of their own since.
  const { tab: _, ...filters } = Object.fromEntries(search);
  return <Navigate to={withSearch(paths.alarms(), filters)} replace />;
}
