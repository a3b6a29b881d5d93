/** What of hot standby can act on a machine. Pure. */
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import { standbyCapability } from "@weft/contract/device/v1/standby.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";

/** Without VRRP, or in a LAN that is not there, the gateways are the other device's alone: nothing stands in for it. */
export const supportedStandby = (
  { standby, ...others }: DesiredState,
  lack: (name: string) => string | null,
  failure: string | null,
  found: Finding[],
): DesiredState => {
  if (!standby) return others;
  const missing = lack(standbyCapability);
  const why = missing ?? failure;
  if (why !== null)
    found.push({
      section: "standby",
      kind: "standby",
      object: `${standby.group}`,
      reason: "noStandby",
      params: { why: why.slice(0, 200) },
    });
  const present = new Set(others.underlay.lans.map(({ interfaceName }) => interfaceName));
  const lans = standby.lans.filter(({ interfaceName }) => present.has(interfaceName));
  return missing === null && lans.length > 0
    ? { ...others, standby: { ...standby, lans } }
    : others;
};

/** Of a gateway that the other device has this one has no route: that one announces its network. */
export const gatewaysOf = ({ standby }: DesiredState): string[] =>
  (standby?.lans ?? []).flatMap(({ gateways }) => gateways);
