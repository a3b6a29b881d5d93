/**
 * No policy cuts a device off: with rules against its controller, its routers and everyone else, its own connections
 * and tunnels live on, while hosts get what the rules say.
 */
import type { AclRuleState } from "@weft/contract/device/v1/acl.ts";
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import type { NetnsEdge, NetnsMachine } from "../../../test/netns/host.ts";
import { refuseInNft } from "../../../test/netns/refusing-nft.ts";
import { lastingFlows, seenFrom, serveSources } from "../../../test/netns/seen-source.ts";
import {
  cpeState,
  createWorld,
  makeSites,
  newKey,
  popState,
  type World,
} from "../../../test/netns/world.ts";

const sites = makeSites();
const [, two] = sites;
const popKey = newKey();
const plain = cpeState(two, popKey, [1, 2]);
/** Where the controller is, the device by its WAN links, and a host. */
const controller = "192.0.2.1";
const first = "198.51.100.20";
const host4 = "10.0.0.100";
/** No host of the LAN has it. */
const silent = "10.0.0.250";
const everything = ["0.0.0.0/1", "128.0.0.0/1", "::/1", "8000::/1"];

const drop = (given: Partial<AclRuleState>): AclRuleState => ({
  action: "drop",
  protocol: "any",
  source: null,
  target: null,
  sourcePort: null,
  targetPort: null,
  mac: null,
  ...given,
});

let world: World;
let edge: NetnsEdge;
let cpe: NetnsMachine;
let host: NetnsMachine;
let second = "";

/** Hardware address of a machine's interface. */
const macOf = async (machine: NetnsMachine, name: string): Promise<string> => {
  const [link] = JSON.parse(await machine.run(["ip", "-j", "link", "show", "dev", name]));
  return link.address;
};

interface Case {
  readonly what: string;
  readonly given: () => Promise<DesiredState>;
  /** What becomes of two flows that a host opens to where the controller is, one after the other. */
  readonly host: readonly [RegExp, RegExp];
}
const passes = new RegExp(`^${first.replaceAll(".", "\\.")}$`);
const fails = /^(silence|E\w+)$/;

const withAcl = (...acl: AclRuleState[]): DesiredState => ({
  ...plain,
  firewall: { ...plain.firewall, acl },
});
type Policy = NonNullable<DesiredState["policy"]>;
const withPolicy = (given: Partial<Policy>, state = plain): DesiredState => ({
  ...state,
  policy: { sets: [{ id: 8, members: everything }], limits: [], ...given },
});
const route = { id: 3, sources: null, targets: 8, time: null, slots: [], nat: true };
const ports = { outside: "1-65535", inside: "1-65535", host: host4, slot: null };
const limit = { id: 6, set: null, connections: 1, perSecond: 1 };

const toSilence = { ...route, hop: { address: silent, interfaceName: "lan0" } };

const cases: readonly Case[] = [
  {
    what: "an ACL that denies everything, the controller first",
    given: async () =>
      withAcl(
        drop({ target: `${controller}/32` }),
        drop({ source: `${controller}/32` }),
        drop({ source: "192.0.2.10/32" }),
        drop({}),
      ),
    host: [fails, fails],
  },
  {
    what: "the blocked hardware addresses of both providers' routers",
    given: async () =>
      withAcl(
        drop({ mac: await macOf(world.inet, "isp1") }),
        drop({ mac: await macOf(world.inet, "isp2") }),
      ),
    host: [fails, fails],
  },
  {
    what: "a policy route of everything to a next hop that is silent",
    given: async () => withPolicy({ routes: [toSilence] }),
    host: [fails, fails],
  },
  {
    what: "a policy route of everything to another destination, which is silent",
    given: async () => withPolicy({ routes: [{ ...route, destination: silent }] }),
    host: [fails, fails],
  },
  {
    what: "port mappings of all ports",
    given: async () =>
      withPolicy({
        portMaps: [
          { id: 4, protocol: "tcp", ...ports },
          { id: 5, protocol: "udp", ...ports },
        ],
      }),
    host: [passes, passes],
  },
  {
    what: "a limit of one flow",
    given: async () => withPolicy({ limits: [limit] }),
    host: [passes, fails],
  },
  {
    what: "all of this, and a rate of 64 kbit/s",
    given: async () => ({
      ...withPolicy(
        {
          limits: [limit],
          portMaps: [{ id: 4, protocol: "udp", ...ports }],
          routes: [toSilence],
        },
        withAcl(drop({ target: `${controller}/32` }), drop({})),
      ),
      shaping: { up: 64, down: 64, lines: [] },
    }),
    host: [fails, fails],
  },
];

/** Connections of the host to where the controller is, that are open. */
const flowsOfHost = async (): Promise<number> =>
  (await host.run(["ss", "-Htn", "state", "established", "dst", controller]))
    .split("\n")
    .filter(Boolean).length;

/** Links that carry packets, and sessions of BFD that broke since the start. */
const tunnels = async () => {
  const up = (await edge.measures()).filter((link) => link.up).map(({ id }) => id);
  const command = ["vtysh", "--vty_socket", "/run/weft-frr", "-c", "show bfd peers counters json"];
  const peers = JSON.parse(await cpe.run(command as [string, ...string[]])) as {
    "session-down": number;
  }[];
  return { up: up.sort(), down: peers.map((peer) => peer["session-down"]) };
};

/** Bytes of answers to a connection of the device that is there since before the first state. */
const received = async (): Promise<number> => {
  const text = await cpe.run(["ss", "-Htin", "dst", controller]);
  return Math.max(0, ...[...text.matchAll(/bytes_received:(\d+)/g)].map(([, n]) => Number(n)));
};

beforeAll(async () => {
  world = await createWorld(sites);
  cpe = world.cpes[1];
  host = world.hosts[1];
  const pop = await world.pop.edge(popKey);
  await pop.apply(popState([{ site: two, slots: [1, 2] }], popKey));
  edge = await cpe.edge(two.key);
  await edge.apply(plain);
  await serveSources(world.inet, controller);
  await waitUntil("both tunnels", async () => (await tunnels()).up.length === 2, 40_000, 200);
  const text = await cpe.run(["ip", "-4", "-o", "addr", "show", "dev", "wan2"]);
  second = /inet ([\d.]+)/.exec(text)?.[1] ?? "";
  void cpe.run(lastingFlows(first, controller, 240_000), { timeoutMs: 250_000 }).catch(() => "");
  await waitUntil("a connection", async () => (await received()) > 0, 10_000, 100);
}, 90_000);

afterAll(async () => {
  await world?.remove();
}, 30_000);

/** What becomes of hosts with a state that is applied, while the device keeps its connections and tunnels. */
const actsOnHostsAlone = async (
  state: DesiredState,
  [former, latter]: Case["host"],
): Promise<void> => {
  const before = await tunnels();
  expect(before.up).toEqual([21, 22]);
  expect(await seenFrom(host, host4, controller)).toMatch(passes);
  await edge.apply(state);
  const flows = host.run(lastingFlows(host4, controller, 2_500));
  const isOpen = async () => (await flowsOfHost()) > 0;
  if (former === passes) await waitUntil("a flow of the host", isOpen, 20_000, 50);
  else expect(await seenFrom(host, host4, controller)).toMatch(former);
  expect(await seenFrom(host, host4, controller)).toMatch(latter);
  await flows;
  for (const own of [first, second, "0.0.0.0"])
    expect(await seenFrom(cpe, own, controller)).toBe(own === "0.0.0.0" ? first : own);
  const until = await received();
  await waitUntil(
    "answers to the earlier connection",
    async () => (await received()) > until,
    60_000,
    100,
  );
  expect(await tunnels()).toEqual(before);
};

describe("a device is not cut off by", { timeout: 120_000 }, () => {
  it.each(cases)("$what", async ({ given, host: expected }) => {
    await edge.apply(plain);
    await actsOnHostsAlone(await given(), expected);
  });
});

const [elsewhere, stranger] = ["203.0.113.77", "10.0.0.77"];
const network = two.lan.replace(/\.\d+\/24$/, ".0/24");

describe("a device is not cut off by what nft refuses:", { timeout: 180_000 }, () => {
  it.each<[string, readonly string[], DesiredState, string]>([
    [
      "an ACL rule about others, which denies everything instead",
      [elsewhere, stranger],
      withAcl(
        drop({
          protocol: "tcp",
          source: `${stranger}/32`,
          target: `${elsewhere}/32`,
          targetPort: "4445",
          object: { family: "xaclrules", id: 9 },
        }),
      ),
      "aclRule 9 refusedBroader any * > *",
    ],
    [
      "a policy route that denies, in place of which all is denied that passes",
      ['"h_routerPolicyroute_3" goto c_denied'],
      withPolicy({ routes: [{ ...route, deny: true }] }),
      "policyRoute 3 refusedBroader *",
    ],
    [
      "the network of its LAN",
      [network],
      {
        ...plain,
        underlay: {
          ...plain.underlay,
          lans: plain.underlay.lans.map((lan) => ({ ...lan, networks: [network] })),
        },
      },
      `lan ${network} refused`,
    ],
  ])("%s", async (_what, refused, state, finding) => {
    await edge.apply(plain);
    const end = await refuseInNft(cpe.run, refused);
    try {
      const found = (await edge.ask("validate", state)) as readonly Finding[];
      const shown = found.map(({ kind, object, reason, params: { denies } }) =>
        [kind, object, reason, ...(denies === undefined ? [] : [denies])].join(" "),
      );
      expect(shown).toContain(finding);
      await actsOnHostsAlone(state, [fails, fails]);
    } finally {
      await end();
    }
  });
});
