import type { Ipv6Lease } from "./ipv6-report.ts";

/** What lines have of IPv6, by interface. */
export type Ipv6Leases = Readonly<Record<string, Ipv6Lease>>;

/** What came to the lines by router advertisements and DHCPv6. */
export interface Ipv6State {
  readonly leases: Ipv6Leases;
  /** Addresses and prefixes that no line can have, by interface. */
  readonly refused: Readonly<Record<string, readonly string[]>>;
}
