import type { ClientSection } from "@weft/contract/device/v1/client.ts";
import type { Device } from "#drivers/device.ts";
import type { Driver } from "#drivers/driver.ts";
import { globalAddresses, type IpLink, ipJson } from "#drivers/ip-json.ts";
import { listNetns } from "#drivers/netns.ts";
import { publicKeyOf, readDump } from "#drivers/tunnel/observe.ts";
import { markOf } from "#drivers/tunnel/render.ts";
import {
  createInterface,
  dropInterface,
  hasInterface,
  syncInterface,
  type TunnelKind,
} from "#drivers/wireguard.ts";
import { reasonOf } from "#edge/log.ts";
import {
  type ClientFound,
  type ClientPart,
  type ClientStep,
  type FoundClients,
  pickClients,
  planClients,
} from "./plan.ts";

const prefix = "client";
const clientName = /^wm\d+$/;

/** Rounds of the watch (each half a second) between two checks for expired accounts. */
const tendRounds = 4;

export interface Clients extends Driver<ClientPart, ClientFound, ClientStep> {
  /** Removes expired accounts, and sets up again what has failed. */
  tend(): Promise<void>;
}

/** For `wg syncconf` (wg(8)): each account may use its one address and calls us. */
const render = (section: ClientSection, privateKey: string): string =>
  [
    "[Interface]",
    `PrivateKey = ${privateKey}`,
    `ListenPort = ${section.listenPort}`,
    `FwMark = 0x${markOf(section.slot).toString(16)}`,
    ...section.peers.flatMap(({ publicKey, address }) => [
      "[Peer]",
      `PublicKey = ${publicKey}`,
      `AllowedIPs = ${address}/32`,
    ]),
    "",
  ].join("\n");

const observe = async (device: Device, publicKey: string): Promise<ClientFound> => {
  const interfaces: FoundClients[] = [];
  for (const netns of [null, ...listNetns()]) {
    const all = await ipJson<IpLink>(device.run, ["-s", "-d", "addr"], netns);
    const there = all.filter(({ ifname }) => clientName.test(ifname));
    if (there.length === 0) continue;
    const kernel = there.some(({ linkinfo }) => linkinfo?.info_kind === "wireguard");
    const dump = await readDump(device.run, kernel ? netns : null);
    for (const ipLink of there) {
      interfaces.push({
        interfaceName: ipLink.ifname,
        netns,
        up: ipLink.flags.includes("UP"),
        mtu: ipLink.mtu,
        addresses: globalAddresses(ipLink),
        wireguard: dump.get(ipLink.ifname)?.wireguard ?? null,
      });
    }
  }
  return { interfaces, publicKey, now: Date.now() };
};

const ensure = async (device: Device, kind: TunnelKind, step: ClientStep & { kind: "ensure" }) => {
  const { section, rebuild } = step;
  const { interfaceName: name, netns } = section;
  const places = rebuild ? [null, ...listNetns()] : [];
  for (const place of places) await dropInterface(device, prefix, name, place);
  if (!(await hasInterface(device, name, netns))) {
    // The remains of a process that crashed would keep the name in use.
    await dropInterface(device, prefix, name, null);
    await createInterface(device, kind, prefix, section);
  }
  await syncInterface(device, kind, section, render(section, device.tunnelPrivateKey));
  const batch = [
    `link set dev ${name} mtu ${section.mtu}`,
    `link set dev ${name} addrgenmode none`,
    // The pool's route is removed with the address; FRR sees both return.
    `addr flush dev ${name}`,
    `addr add ${section.address} dev ${name}`,
    `link set dev ${name} up`,
  ];
  const [ipLink] = (await ipJson<IpLink>(device.run, ["-s", "-d", "addr"], netns)).filter(
    ({ ifname }) => ifname === name,
  );
  const isDressed =
    ipLink?.mtu === section.mtu &&
    ipLink.flags.includes("UP") &&
    globalAddresses(ipLink).join() === section.address;
  if (!isDressed)
    await device.run(["ip", "-batch", "-"], { netns, input: `${batch.join("\n")}\n` });
};

/** Mobile clients: one interface per space, one peer per account (dataplane section 11). */
export const createClients = (device: Device, kind: () => Promise<TunnelKind>): Clients => {
  const publicKey = publicKeyOf(device.tunnelPrivateKey);
  /** The last desired state, so that accounts also expire without the controller. */
  let wanted: ClientPart = [];
  let rounds = 0;
  let lookedAt = 0;
  const run = async (step: ClientStep): Promise<void> => {
    if (step.kind === "ensure") return ensure(device, await kind(), step);
    return dropInterface(device, prefix, step.interfaceName, step.netns);
  };
  return {
    name: "client",
    pick: pickClients,
    validate: async (part) => {
      if (part.length > 0) await kind();
    },
    observe: async (part) => {
      wanted = part;
      return observe(device, publicKey);
    },
    plan: planClients,
    run,
    tend: async () => {
      rounds += 1;
      if (wanted.length === 0 || rounds % tendRounds !== 0) return;
      const died = device.daemons
        .names(`${prefix}-`)
        .filter((name) => !device.daemons.isAlive(name))
        .map((name) => name.slice(prefix.length + 1));
      const now = Date.now();
      const ended = wanted.some(({ peers }) =>
        peers.some(({ until }) => until !== null && until > lookedAt && until <= now),
      );
      lookedAt = now;
      if (died.length === 0 && !ended) return;
      for (const step of planClients(wanted, await observe(device, publicKey))) {
        // Anything to be removed belongs to a state that is being applied at the moment.
        if (step.kind !== "ensure") continue;
        device.log.info({ step: step.summary }, "mobile accounts");
        const { interfaceName } = step.section;
        const note = () => {
          if (died.includes(interfaceName)) device.repairs.add("client", interfaceName);
        };
        await run(step).then(note, (error: unknown) =>
          device.log.error({ why: reasonOf(error) }, "mobile accounts could not be applied"),
        );
      }
    },
  };
};
