import type { PolicyEffect, PolicyReason } from "@weft/contract/domains/policies/policy-finding.ts";
import type { DhcpSpan } from "@weft/contract/rules/dhcp-range.ts";
import type { PolicyObject } from "#domains/policies/merged/public.ts";

/** What of a site decides about routers in its LANs. */
export interface SiteRouting {
  /** LANs whose hosts may enter the space, with the device's own address in each. */
  readonly lans: readonly { readonly interfaceName: string; readonly network: string }[];
  /** AS number of its space's BGP; null: it has no link in one. */
  readonly spaceAsn: number | null;
  /** Password of a neighbour as its device opens it; null: it cannot be sent. */
  readonly password: (object: PolicyObject) => string | null;
  /** Networks that it brings into the space beyond its own LANs. */
  readonly declared: readonly string[];
}

/** A WAN link of the node as its row has it. */
export interface OwnLine {
  /** Of its row; absent: nothing is found about it. */
  readonly id?: number;
  readonly name?: string;
  readonly slot: number;
  readonly interfaceName?: string;
  readonly addressing?: "static" | "dhcp";
  readonly ip?: string | null;
  readonly gateway?: string | null;
  readonly mtu?: number;
  /** Special line (1, 2); absent or 0: a common one, or nothing is said. */
  readonly quality?: number;
  /** kbit/s; absent or null: not known. */
  readonly up?: number | null;
  readonly down?: number | null;
}

/** What of a node decides, beside its objects. */
export interface PolicyContext {
  /** As the device reported them; null: no device did yet, and what it can will be seen then. */
  readonly capabilities: readonly { readonly name: string; readonly can: boolean }[] | null;
  /** Slots of its WAN lines. */
  readonly slots: ReadonlySet<number>;
  /** Absent: none. */
  readonly lines?: readonly OwnLine[];
  /** Spaces of it whose traffic is in classes; absent: not known. */
  readonly classedSpaces?: ReadonlySet<number>;
  /** Its standby group; absent: it is in none. */
  readonly standby?: {
    readonly group: number;
    /** Name of the LAN line that names the group; absent or null: the node's own settings do. */
    readonly line?: string | null;
    /** Name of the other device, or of the first of two others; absent or null: there is none. */
    readonly partner?: string | null;
    /** Whether the other device can stand for it; null: it never reported, or there is none. */
    readonly partnerCan: boolean | null;
    /** Two others are the group; absent: no. */
    readonly isBeyond?: boolean;
  };
  /** Its device gives hosts of its LANs addresses; absent: not known. */
  readonly givesAddresses?: boolean;
  /** Cards of its WAN links; absent: none. */
  readonly wanCards?: readonly string[];
  /** Networks that it is connected to, with its own address in each; absent: none. */
  readonly connected?: readonly {
    readonly interfaceName: string;
    /** That carries the interface, which is one of a VLAN; absent: the interface itself. */
    readonly card?: string;
    readonly network: string;
  }[];
  /** kbit/s of the device towards its WAN links and towards its LANs; null: not known. */
  readonly rates: { readonly up: number | null; readonly down: number | null };
  /** Its LANs with hosts. */
  readonly lans: readonly {
    readonly interfaceName?: string;
    /** That it is on; absent: on none that the device makes. */
    readonly vlanInterface?: { readonly tag: number; readonly parent?: string };
    readonly network: string;
    readonly network6: string | null;
    /** The device's own beside the gateway; absent or null: it is the gateway. */
    readonly ownAddress?: string | null;
    /** Addresses that its hosts get by the section itself; absent or null: none is said. */
    readonly range?: DhcpSpan | null;
  }[];
  /** It is beside the gateway of its LANs, whose internet does not pass it; absent: no. */
  readonly isBypass?: boolean;
  /** Absent: it has no LAN and no space. */
  readonly site?: SiteRouting;
  /** UDP ports of its own tunnels. */
  readonly tunnelPorts: ReadonlySet<number>;
  /** Serial of the past configuration that it is held at; null: it follows its rows. */
  readonly heldAt: number | null;
}

/** What becomes of an object that is not applied as configured, and why. */
export interface Verdict {
  readonly effect: PolicyEffect;
  readonly reason: PolicyReason;
  readonly params: Readonly<Record<string, string>>;
}

export const cannot = (reason: PolicyReason, params: Verdict["params"] = {}): Verdict => ({
  effect: "cannot",
  reason,
  params,
});
