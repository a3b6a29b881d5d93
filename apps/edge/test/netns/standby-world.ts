/** Two devices in one LAN that stand for each other, with a host behind them, and a far site in their space. */
import type { StandbyPlace, StandbySection } from "@weft/contract/device/v1/standby.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { waitUntil } from "#drivers/daemon.ts";
import type { StandbyState } from "#drivers/driver.ts";
import { cable, type NetnsEdge, type NetnsMachine, pings } from "./host.ts";
import {
  cpeState,
  createWorld,
  makeSites,
  newKey,
  popState,
  type Site,
  type World,
} from "./world.ts";

const [one, far, third] = makeSites();
/** The other device of the first site: another node, with the same LAN. */
const other: Site = { ...third, spaceId: one.spaceId, lan: one.lan, lan6: one.lan6 };
const popKey = newKey();
const networks = [one, far].flatMap(({ lan, lan6 }) => [lan, lan6].map(networkOf));
const inSpace = (state: DesiredState): DesiredState => ({
  ...state,
  spaces: state.routings.map(({ spaceId, netns }) => ({ spaceId, netns, networks })),
});

/** The gateways of the site's hosts. */
export const gateways = [one.lan, one.lan6] as const;
const owns = { active: "10.1.1.2/24", standby: "10.1.1.3/24" } as const;
type Role = StandbySection["role"];
const siteOf: Readonly<Record<Role, Site>> = { active: one, standby: other };

/** The device without the other one. */
export const alone = (role: Role): DesiredState => inSpace(cpeState(siteOf[role], popKey, [1]));

/** One of the two. */
export const oneOfTwo = (role: Role, priority: number): DesiredState => {
  const state = alone(role);
  const own = owns[role];
  return {
    ...state,
    underlay: {
      ...state.underlay,
      lans: state.underlay.lans.map((lan) => ({ ...lan, addresses: [own] })),
    },
    standby: {
      group: 7,
      role,
      priority,
      lans: [{ interfaceName: "lan0", own, gateways: [...gateways] }],
    },
  };
};

export interface Member {
  readonly machine: NetnsMachine;
  edge: NetnsEdge;
  readonly key: string;
  /** Port of the switch of the LAN, in the host's machine; port of the provider, in that of the internet. */
  readonly port: string;
  readonly line: string;
  /** Interface of its link at the POP. */
  readonly link: string;
}

export interface StandbyWorld {
  readonly world: World;
  readonly host: NetnsMachine;
  readonly farHost: NetnsMachine;
  readonly members: Readonly<Record<Role, Member>>;
}

/** One switch for both devices; the host is in it. */
const joinLan = async ({ hosts, cpes }: World): Promise<void> => {
  const [host] = hosts;
  await cpes[2].run(["ip", "link", "del", "lan0"]);
  await cable([host, "eth1"], [cpes[2], "lan0"]);
  await host.run(["ip", "addr", "flush", "dev", "eth0"]);
  // The kernel took that of one family along.
  for (const family of ["-4", "-6"]) await host.run(["ip", family, "route", "flush", "default"]);
  await host.run(["ip", "link", "add", "name", "br0", "type", "bridge"]);
  for (const port of ["eth0", "eth1"])
    await host.run(["ip", "link", "set", "dev", port, "master", "br0"]);
  await host.run(["ip", "link", "set", "dev", "br0", "up"]);
  for (const [index, gateway] of gateways.entries()) {
    const address = gateway.replace(
      index === 0 ? "1/24" : "::1/64",
      index === 0 ? "100/24" : "::100/64",
    );
    await host.run(["ip", "addr", "add", address, "dev", "br0", ...(index === 0 ? [] : ["nodad"])]);
    await host.run(["ip", "route", "add", "default", "via", gateway.split("/")[0] ?? ""]);
  }
};

export const createStandbyWorld = async (): Promise<StandbyWorld> => {
  const world = await createWorld([one, far, other]);
  await joinLan(world);
  const { pop, cpes, hosts } = world;
  const hub = await pop.edge(popKey);
  await hub.apply(
    inSpace(
      popState(
        [one, far, other].map((site) => ({ site, slots: [1] })),
        popKey,
      ),
    ),
  );
  await (await cpes[1].edge(far.key)).apply(inSpace(cpeState(far, popKey, [1])));
  const member = async (index: 0 | 2, site: Site, port: string): Promise<Member> => ({
    machine: cpes[index],
    edge: await cpes[index].edge(site.key),
    key: site.key,
    port,
    line: `c${index + 1}`,
    link: `wl${site.number}1`,
  });
  return {
    world,
    host: hosts[0],
    farHost: hosts[1],
    members: { active: await member(0, one, "eth0"), standby: await member(2, other, "eth1") },
  };
};

export const placeOf = async ({ edge }: Member): Promise<StandbyPlace | null> =>
  ((await edge.ask("standby")) as StandbyState | null)?.place ?? null;

/** Addresses of the LAN's interface: global ones. */
export const addressesOf = async ({ machine }: Member): Promise<string[]> => {
  const shown = await machine.run(["ip", "-o", "addr", "show", "dev", "lan0", "scope", "global"]);
  return [...shown.matchAll(/inet6? (\S+)/g)].map(([, address = ""]) => address).sort();
};

/** Whether exactly this device has the gateways. */
export const holdsAlone = async ({ members }: StandbyWorld, role: Role): Promise<boolean> => {
  const counts = await Promise.all(
    [members[role], members[role === "active" ? "standby" : "active"]].map(
      async (member) =>
        (await addressesOf(member)).filter((address) => gateways.some((own) => own === address))
          .length,
    ),
  );
  return counts[0] === gateways.length && counts[1] === 0;
};

/** The link that the POP sends the site's packets by. */
export const wayBack = async ({ world }: StandbyWorld, target = "10.1.1.100"): Promise<string> => {
  const options = { netns: `weft-s${one.spaceId}` };
  const shown = await world.pop.run(["ip", "route", "get", target], options).catch(() => "");
  return /dev (\S+)/.exec(shown)?.[1] ?? "none";
};

/** Waits until the device with this role is active, and both directions of the host's traffic go by it. */
export const isServedBy = async (world: StandbyWorld, role: Role): Promise<void> => {
  const { members, host } = world;
  const member = members[role];
  await waitUntil(
    `${role} is active`,
    async () => (await placeOf(member)) === "active",
    60_000,
    100,
  );
  for (const target of ["10.1.1.100", "fd57:1:1::100"])
    await waitUntil(
      `the space prefers ${role}`,
      async () => (await wayBack(world, target)) === member.link,
      60_000,
      100,
    );
  for (const target of ["10.0.0.100", "fd57:1:2::100"])
    await waitUntil(`the host reaches ${target}`, () => pings(host, target, 1), 60_000, 100);
};

/** Longest silence, ms, of a flow that the host has with the far site while something happens. */
export const gapDuring = async (
  { host }: StandbyWorld,
  happens: () => Promise<void>,
): Promise<number> => {
  const log = "/run/pings";
  const start = `ping -n -D -i 0.02 10.0.0.100 > ${log} 2>&1 & printf %s $!`;
  const pid = (await host.run(["sh", "-c", start])).trim();
  try {
    await waitUntil(
      "a first answer",
      async () => (await host.run(["cat", log])).includes(" bytes from "),
      60_000,
      50,
    );
    await happens();
  } finally {
    await host.run(["kill", pid]);
  }
  const at = [...(await host.run(["cat", log])).matchAll(/^\[(\d+\.\d+)\] .* bytes from /gm)].map(
    ([, text]) => Number(text) * 1_000,
  );
  return Math.max(...at.slice(1).map((time, index) => time - (at[index] ?? time)));
};
