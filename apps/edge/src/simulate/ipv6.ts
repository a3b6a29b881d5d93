/** What WAN links of a simulated device have of IPv6, out of 2001:db8::/32 (RFC 3849). Pure. */
import type { UnderlaySection } from "@weft/contract/device/v1/underlay.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import type { Ipv6LineReport } from "#drivers/driver.ts";
import type { Ipv6State } from "#drivers/underlay/ipv6-state.ts";
import { leaseEnd } from "./leases.ts";
import { seedOf } from "./seeded.ts";

/** Length that a provider delegates where no other one is wished. */
const usualLength = 56;
/** What a router advertises itself with. */
const router = "fe80::1";

const group = (seed: number): string => (0x1000 + (seed % 0xe000)).toString(16);

/** @param isDead whether the carrier of an interface is gone: what it got by advertisements ends with it */
export const simulatedIpv6 = (
  seed: number,
  lines: UnderlaySection["lines"],
  now: number,
  isDead: (interfaceName: string) => boolean,
): Ipv6LineReport[] =>
  lines.flatMap(({ interfaceName, ipv6 }): Ipv6LineReport[] => {
    if (ipv6 === undefined) return [];
    const nothing = {
      interfaceName,
      address: null,
      gateway: null,
      validUntil: null,
      prefix: null,
      prefixUntil: null,
    };
    if (ipv6.mode === "static") return [{ ...nothing, address: ipv6.ip, gateway: ipv6.gateway }];
    if (isDead(interfaceName)) return [nothing];
    const lineSeed = seedOf(`${seed} ${interfaceName}`);
    const until = leaseEnd(lineSeed, 0, now);
    const length = ipv6.mode === "delegated" ? (ipv6.length ?? usualLength) : null;
    return [
      {
        interfaceName,
        address: `2001:db8:${group(lineSeed)}::${group(lineSeed >>> 16)}/64`,
        gateway: router,
        validUntil: until,
        prefix: length === null ? null : networkOf(`2001:db8:${group(lineSeed)}:8000::/${length}`),
        prefixUntil: length === null ? null : until,
      },
    ];
  });

/** The same as what came by router advertisements and DHCPv6: LANs get their networks out of it. */
export const simulatedIpv6State = (reports: readonly Ipv6LineReport[]): Ipv6State => ({
  leases: Object.fromEntries(
    reports
      .filter(({ gateway }) => gateway === router)
      .map(({ interfaceName, address, gateway, prefix }) => {
        const held = (value: string | null) =>
          value === null ? null : { value, preferredUntil: null, validUntil: null };
        return [interfaceName, { address: held(address), gateway, prefix: held(prefix) }];
      }),
  ),
  refused: {},
});
