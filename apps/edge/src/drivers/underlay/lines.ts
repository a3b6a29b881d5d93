import type { Device } from "#drivers/device.ts";
import type { LineReport } from "#drivers/driver.ts";
import { globalAddresses, type IpLink, ipJson } from "#drivers/ip-json.ts";
import { clientsOf } from "./lease.ts";
import type { Silence } from "./line-health.ts";

/** Interfaces that are no cable: their own, a link's, a container's. */
const inner = /^(lo|w[lx]\d+|docker|br-|virbr)/;

/**
 * What the device's interfaces show now.
 * @param silent lines that lead nowhere although they are plugged
 */
export const readLines = async (
  device: Device,
  silent: readonly Silence[],
): Promise<LineReport[]> => {
  const leased = new Set(clientsOf(device));
  const links = await ipJson<IpLink>(device.run, ["addr"]);
  return links
    .filter(({ ifname }) => !inner.test(ifname))
    .map((link) => {
      const [address = null] = globalAddresses(link);
      const addressing = leased.has(link.ifname) ? "dhcp" : address === null ? null : "static";
      const up = link.flags.includes("LOWER_UP");
      const isSilent = silent.some(({ interfaceName }) => interfaceName === link.ifname);
      return { interfaceName: link.ifname, addressing, address, up, isSilent };
    });
};
