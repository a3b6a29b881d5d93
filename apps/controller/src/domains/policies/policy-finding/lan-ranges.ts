/** Addresses that LAN sections are to give their hosts, and why they do not. Pure. */
import { dnsCapabilities } from "@weft/contract/device/v1/dns.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import type { DhcpSpan } from "@weft/contract/rules/dhcp-range.ts";
import type { PolicyFinding } from "./findings.ts";
import { cannot, type PolicyContext, type Verdict } from "./verdict.ts";

interface Section {
  readonly id?: number;
  readonly network: string;
  readonly vlan: number | null;
  readonly range?: DhcpSpan | null;
}

type LanContext = Pick<PolicyContext, "capabilities" | "isBypass" | "givesAddresses">;

/** Why a device gives hosts of no LAN addresses; null: it does. */
function deviceVerdict({ capabilities, isBypass, givesAddresses }: LanContext): Verdict | null {
  if (!capabilities?.some(({ name, can }) => can && name === dnsCapabilities.dhcp))
    return cannot("notCarriedOut");
  if (isBypass) return cannot("bypass");
  return givesAddresses === false ? cannot("dhcpOff") : null;
}

export function lanRangeFindings(
  sections: readonly Section[],
  context: LanContext,
): PolicyFinding[] {
  // What becomes of them is seen once there is a device.
  if (context.capabilities === null) return [];
  const ofDevice = deviceVerdict(context);
  return sections.flatMap(({ id, network, vlan, range = null }): PolicyFinding[] => {
    const tagged = (vlan ?? 0) === 0 ? null : cannot("fieldNotCarriedOut", { field: "vlan" });
    const verdict = ofDevice ?? tagged;
    if (id === undefined || range === null || verdict === null) return [];
    return [
      {
        family: lanSection.name,
        level: "node",
        objectId: id,
        name: network,
        denies: false,
        ...verdict,
      },
    ];
  });
}
