/** Size, addresses and state of a link's interface. */
import type { Device } from "#drivers/device.ts";
import { CommandFailed } from "#drivers/exec.ts";
import type { IpLink } from "#drivers/ip-json.ts";
import { putSetting, turnOnIpv6 } from "#drivers/put-setting.ts";
import { PartRefused } from "#drivers/refusals.ts";
import { linkIpv6 } from "#drivers/without-refused.ts";
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

const mtuCommands = (link: PlacedLink): string[] => {
  const { interfaceName: name, mtu } = link;
  return [
    `link set dev ${name} mtu ${mtu}`,
    // Below IPv6's least size the kernel disables IPv6 on the interface, and above re-enables it.
    // Link-local addresses would become next hops, and differ after each start of the process.
    ...(carriesIpv6(link) ? [`link set dev ${name} addrgenmode none`] : []),
  ];
};

/** Status of `settingProgram` where the kernel refuses IPv6 on the interface, and nothing else of it. */
const ipv6Refused = 6;

/** Settings of the interface below /proc/sys/net, as a program for sh. */
const settingProgram = (link: PlacedLink): string => {
  const name = link.interfaceName;
  const ipv6 = [
    turnOnIpv6(name),
    // An interface that was down for a moment comes back with both its addresses.
    `put ipv6/conf/${name}/keep_addr_on_down 1`,
  ].map((setting) => `${setting} || exit ${ipv6Refused}\n`);
  return [
    putSetting,
    `put ipv4/conf/${name}/rp_filter 0 || exit 1\n`,
    ...(carriesIpv6(link) ? ipv6 : []),
  ].join("");
};

/** @throws PartRefused when it is the link's IPv6 that the machine does not have */
const runSettings = (
  device: Device,
  link: PlacedLink,
  program: string,
  input = "",
): Promise<unknown> =>
  device.run(["sh", "-c", program], { netns: link.netns, input }).catch((error: unknown) => {
    if (error instanceof CommandFailed && error.status === ipv6Refused)
      throw new PartRefused(linkIpv6, error.text);
    throw error;
  });

/**
 * The same for an interface that was just made: nothing is to be compared, so that one program does
 * all. A POP makes hundreds of them, and most of the time of a join was starting programs.
 */
export const applyNewLinkSettings = async (device: Device, link: PlacedLink): Promise<void> => {
  const input = `${[...mtuCommands(link), ...settingCommands(link, undefined)].join("\n")}\n`;
  // It comes with an MTU that IPv6 can have, and is down: it gets no address by being turned on.
  await runSettings(device, link, `${settingProgram(link)}exec ip -batch -`, input);
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
  // After the MTU, without which there may be no settings of IPv6, and before the addresses that need them.
  await runSettings(device, link, settingProgram(link));
  const steps = settingCommands(link, await read());
  if (steps.length > 0) await batch(steps);
};
