/**
 * Two sites of one space, and a router in the LAN of the first one: with two networks behind it, one that the site
 * declares and one that it does not. The router's daemons have no configuration yet.
 */
import { sealedSample } from "@weft/contract/device/v1/sealed-sample.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { waitUntil } from "#drivers/daemon.ts";
import type { NetnsEdge, NetnsMachine } from "./host.ts";
import { startRouter } from "./lan-router.ts";
import { cpeState, createWorld, makeSites, newKey, popState, type World } from "./world.ts";

const [first, ...others] = makeSites();
/** The first one has a key to which a secret was sealed. */
const sites: ReturnType<typeof makeSites> = [
  { ...first, key: sealedSample.tunnelPrivateKey },
  ...others,
];
const [one, two] = sites;
const popKey = newKey();
/** Declared by the site, and so taken by everyone; the router offers the other as well. */
export const declared = "10.9.0.0/24";
export const undeclared = "10.8.0.0/24";
export const far = "10.0.0.0/24";
const networks = [...[one, two].flatMap(({ lan, lan6 }) => [lan, lan6].map(networkOf)), declared];
const inSpace = (state: DesiredState): DesiredState => ({
  ...state,
  spaces: state.routings.map(({ spaceId, netns }) => ({ spaceId, netns, networks })),
});
const own = cpeState(one, popKey, [1]);
export const plain = inSpace({
  ...own,
  routings: own.routings.map((routing) => ({
    ...routing,
    announce: [...routing.announce, declared],
  })),
  underlay: {
    ...own.underlay,
    lans: own.underlay.lans.map((lan) => ({
      ...lan,
      networks: [...(lan.networks ?? []), declared],
    })),
  },
});
const both = popState(
  [one, two].map((site) => ({ site, slots: [1] })),
  popKey,
);
const hub = inSpace({
  ...both,
  routings: both.routings.map((routing) => ({
    ...routing,
    neighbors: routing.neighbors.map((neighbor) =>
      neighbor.linkId === 11
        ? { ...neighbor, accept: [...(neighbor.accept ?? []), declared] }
        : neighbor,
    ),
  })),
});

export const routes = async (machine: NetnsMachine, protocol = "bgp"): Promise<string[]> =>
  (await machine.run(["ip", "route", "show", "proto", protocol])).trim().split("\n");

export const hasRoute = async (
  machine: NetnsMachine,
  prefix: string,
  protocol = "bgp",
): Promise<boolean> =>
  (await routes(machine, protocol)).some((line) =>
    line.startsWith(prefix === "0.0.0.0/0" ? "default" : `${prefix} `),
  );

export interface SiteWorld {
  readonly world: World;
  /** The first site's device, and the program on it. */
  readonly device: NetnsMachine;
  readonly cpe: NetnsEdge;
  /** The router. */
  readonly lan: NetnsMachine;
  readonly farDevice: NetnsMachine;
  readonly farHost: NetnsMachine;
  /** All that a routing neighbour leaves on the device. */
  traces(): Promise<string>;
}

const tracesOf = async (device: NetnsMachine): Promise<string> => {
  const frr = ["vtysh", "--vty_socket", "/run/weft-frr", "-c", "show running-config"] as const;
  const shown = await device.run(frr);
  const rules = await device.run(["nft", "-s", "list", "table", "inet", "weft"]);
  const daemons = await device.run(["sh", "-c", "ls /run/weft/daemons | grep json"]);
  return `${shown}${rules}${daemons}`;
};

/** @param daemons of the router, beside zebra */
export const createSiteWorld = async (daemons: readonly string[]): Promise<SiteWorld> => {
  const world = await createWorld(sites);
  const [pop, cpe, second] = [
    await world.pop.edge(popKey),
    await world.cpes[0].edge(one.key),
    await world.cpes[1].edge(two.key),
  ];
  const [device, lan] = [world.cpes[0], world.hosts[0]];
  await pop.apply(hub);
  await second.apply(inSpace(cpeState(two, popKey, [1])));
  await cpe.apply(plain);
  for (const address of ["10.9.0.1/24", "10.8.0.1/24"])
    await lan.run(["ip", "addr", "add", address, "dev", "lo"]);
  await lan.run(["ip", "route", "del", "default"]);
  await startRouter(lan, daemons);
  await waitUntil("the sites reach each other", () => hasRoute(device, far), 20_000);
  return {
    world,
    device,
    cpe,
    lan,
    farDevice: world.cpes[1],
    farHost: world.hosts[1],
    traces: () => tracesOf(device),
  };
};
