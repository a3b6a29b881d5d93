/** What a machine shows of itself to those that decide what of a state can act on it. Pure. */
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import type { AccelerationFacts } from "./acceleration/findings.ts";
import type { ExhaustedRange } from "./dns/exhausted.ts";
import type { Capability } from "./driver.ts";
import type { FlowTable } from "./firewall/flow-table.ts";
import type { SmallDrops } from "./firewall/small-packets.ts";
import type { ForeignSource } from "./firewall/sources.ts";
import type { PathMtu } from "./probe/path-mtu.ts";
import type { Refusal } from "./refusals.ts";
import type { SegmentFacts } from "./segment/findings.ts";
import type { Ipv6State } from "./underlay/ipv6-state.ts";
import type { Silence } from "./underlay/line-health.ts";
import type { Lease } from "./underlay/render.ts";

/** The machine as far as it decides what of a state can act. */
export interface MachineFacts extends SegmentFacts, AccelerationFacts {
  readonly capabilities: readonly Capability[];
  /** Interfaces that exist, with their global addresses; null: any that a state names. */
  readonly interfaces: ReadonlyMap<string, readonly string[]> | null;
  /** DHCP leases by interface. */
  readonly leases: Readonly<Record<string, Lease>>;
  /** What lines have of IPv6 by router advertisements and DHCPv6; absent: nothing. */
  readonly ipv6?: Ipv6State;
  /** Links by id whose path carries less than they were given. */
  readonly pathMtus: ReadonlyMap<number, PathMtu>;
  /** Interfaces by which packets with foreign sources came lately. */
  readonly foreignSources: readonly ForeignSource[];
  /** Small packets that spaces had too many of lately. */
  readonly smallDrops: readonly SmallDrops[];
  /** Lines that lead nowhere although they are plugged. */
  readonly silentLines: readonly Silence[];
  /** Ids of links that answer by IPv4 alone. */
  readonly deadIpv6: ReadonlySet<number>;
  /** Routers of the site that have not answered for a while: addresses, and interfaces with OSPF. */
  readonly silentRouters: ReadonlySet<string>;
  /** Why the program that serves the LANs does not run; null: it does, or need not. */
  readonly resolverFailure: string | null;
  /** Why a resolver that denies names does not run; null: each does, or need not. */
  readonly filterFailure: string | null;
  /** Ranges of addresses that have none left for a further host. */
  readonly exhaustedRanges: readonly ExhaustedRange[];
  /** Why VRRP does not run; null: it does, or need not. */
  readonly standbyFailure: string | null;
  /** The kernel's table of flows while it is crowded; null: it is not. */
  readonly flowTable: FlowTable | null;
  /** Addresses of the controllers, as far as they are known. */
  readonly controllers: readonly string[];
  /** Objects that the machine refused. */
  readonly refused: readonly Refusal[];
}

export type Reason = Pick<Finding, "reason" | "params">;

/** Why the machine cannot do it, as it reports it; null: it can, or it was not checked. */
export const lack = ({ capabilities }: MachineFacts, name: string): string | null => {
  const capability = capabilities.find((capability) => capability.name === name);
  return capability && !capability.can
    ? (capability.reason ?? "no reason given").slice(0, 200)
    : null;
};

export const isMissing = ({ interfaces }: MachineFacts, name: string): boolean =>
  interfaces !== null && !interfaces.has(name);

/** Those without an obstacle; what the others have in their way is pushed to `found`. */
export const without = <Item>(
  items: readonly Item[],
  obstacle: (item: Item) => Reason | null,
  findings: Finding[],
  name: (item: Item) => Pick<Finding, "section" | "kind" | "object">,
): Item[] =>
  items.filter((item) => {
    const reason = obstacle(item);
    if (reason) findings.push({ ...name(item), ...reason });
    return reason === null;
  });
