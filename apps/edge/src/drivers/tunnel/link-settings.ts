/** Size, addresses and state of a link's interface. */
import type { Device } from "#drivers/device.ts";
import type { IpLink } from "#drivers/ip-json.ts";
import { readLinks } from "./observe.ts";
import { addressesOf, carriesIpv6, type PlacedLink } from "./render.ts";

const textsOf = (link: IpLink | undefined): string[] =>
  (link?.addr_info ?? []).map(({ local, prefixlen }) => `${local}/${prefixlen}`);

/**
 * Commands for `ip -batch` from what is there to what is wanted; empty when nothing differs. What
 * is right stays untouched: an address that goes takes the sessions and routes over it along.
 *
 * @param there the interface as the kernel shows it; undefined: as new
 */
const settingCommands = (link: PlacedLink, there: IpLink | undefined): string[] => {
  const name = link.interfaceName;
  const wanted = addressesOf(link);
  const texts = textsOf(there);
  return [
    ...texts.filter((text) => !wanted.includes(text)).map((text) => `addr del ${text} dev ${name}`),
    // IPv6 first: the session that the other address brings up looks once for its IPv6 next hop.
    ...wanted
      .filter((text) => !texts.includes(text))
      .map((text) => `addr add ${text} dev ${name}${text.includes(":") ? " nodad" : ""}`),
    ...(there?.flags.includes("UP") ? [] : [`link set dev ${name} up`]),
  ];
};

const mtuCommands = ({ interfaceName: name, mtu }: PlacedLink): string[] => [
  `link set dev ${name} mtu ${mtu}`,
  // Below IPv6's least size the kernel disables IPv6 on the interface, and above re-enables it.
  // Link-local addresses would become next hops, and differ after each start of the process.
  ...(carriesIpv6(mtu) ? [`link set dev ${name} addrgenmode none`] : []),
];

const settingsOf = ({ interfaceName: name, mtu }: PlacedLink): string[] => [
  `net.ipv4.conf.${name}.rp_filter=0`,
  // An interface that was down for a moment comes back with both its addresses.
  ...(carriesIpv6(mtu) ? [`net.ipv6.conf.${name}.keep_addr_on_down=1`] : []),
];

/**
 * The same for an interface that was just made: nothing is to be compared, so that one program does
 * all. A POP makes hundreds of them, and most of the time of a join was starting programs.
 */
export const applyNewLinkSettings = async (device: Device, link: PlacedLink): Promise<void> => {
  const input = `${[...mtuCommands(link), ...settingCommands(link, undefined)].join("\n")}\n`;
  const script = 'ip -batch - && exec sysctl -q -w "$@"';
  await device.run(["sh", "-c", script, "sh", ...settingsOf(link)], { netns: link.netns, input });
};

/** Brings the interface to what the link says; only what differs is touched. */
export const applyLinkSettings = async (device: Device, link: PlacedLink): Promise<void> => {
  const { interfaceName: name, netns } = link;
  const read = async () =>
    (await readLinks(device.run, netns)).find(({ ifname }) => ifname === name);
  const batch = (lines: readonly string[]) =>
    device.run(["ip", "-batch", "-"], { netns, input: `${lines.join("\n")}\n` });
  const before = await read();
  if (before?.mtu !== link.mtu || !before.flags.includes("UP")) await batch(mtuCommands(link));
  const steps = settingCommands(link, await read());
  if (steps.length > 0) await batch(steps);
  await device.run(["sysctl", "-q", "-w", ...settingsOf(link)], { netns });
};
