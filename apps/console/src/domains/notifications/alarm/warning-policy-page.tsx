import { AlarmEvents } from "./alarm-events.tsx";
import { AlarmPolicies } from "./alarm-policies.tsx";
import { useAlarmTab } from "./alarm-tabs.tsx";

/** What is watched, and what was found (section 2.3). */
export default function WarningPolicyPage() {
  return useAlarmTab() === "events" ? <AlarmEvents /> : <AlarmPolicies />;
}
