/** LAN sections by interface, which has the addresses of all of them. Pure. */
import type { LanSection } from "#contract/device/v1/underlay.ts";

export type LanInterface = Pick<LanSection, "interfaceName" | "vlan" | "addresses" | "ipv6">;

export const lanInterfaces = (sections: readonly LanSection[]): LanInterface[] =>
  [...Map.groupBy(sections, ({ interfaceName, vlan }) => `${interfaceName} ${vlan}`).values()].map(
    (lans) => {
      const { interfaceName, vlan } = lans[0] as LanSection;
      const addresses = [...new Set(lans.flatMap((lan) => lan.addresses))].sort();
      const ipv6 = lans.find((lan) => lan.ipv6 !== undefined)?.ipv6;
      return { interfaceName, vlan, addresses, ...(ipv6 && { ipv6 }) };
    },
  );
