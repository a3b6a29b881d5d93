/** Hits of rules by real packets: each is reported once, over loads of the rules and starts of the edge. */
import type { AclRuleState } from "@weft/contract/device/v1/acl.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import type { ObjectHits } from "#drivers/driver.ts";
import { type NetnsEdge, type NetnsMachine, pings } from "../../../test/netns/host.ts";
import {
  cpeState,
  createWorld,
  makeSites,
  newKey,
  popState,
  type World,
} from "../../../test/netns/world.ts";

const sites = makeSites();
const [one, two] = sites;
const popKey = newKey();
const far = "10.0.0.100";
const plain = cpeState(one, popKey, [1]);
const rule = (given: Partial<AclRuleState>): AclRuleState => ({
  action: "drop",
  protocol: "any",
  source: null,
  target: null,
  sourcePort: null,
  targetPort: null,
  mac: null,
  ...given,
});
const withAcl = (...acl: AclRuleState[]): DesiredState => ({
  ...plain,
  firewall: { ...plain.firewall, acl },
});
const denied = rule({
  protocol: "udp",
  targetPort: "7001",
  object: { family: "xaclrules", id: 4 },
});
const blocked = ["source", "target"].map((end) =>
  rule({ [end]: "10.0.0.99/32", object: { family: "blacklist", id: 9 } }),
);

let world: World;
let edge: NetnsEdge;
let host: NetnsMachine;

/** Datagrams, each of a flow of its own. */
const sends = (count: number, to: string, port: number): Promise<string> => {
  const script = `
    const s = require("dgram").createSocket("udp4");
    const one = () => new Promise((done) => s.send("x", ${port}, "${to}", done));
    (async () => { for (let n = 0; n < ${count}; n++) await one(); s.close(); })();`;
  return host.run([process.execPath, "-e", script]);
};
const hits = async (): Promise<ObjectHits[]> => (await edge.ask("hits")) as ObjectHits[];

beforeAll(async () => {
  world = await createWorld(sites);
  [host] = world.hosts;
  const pop = await world.pop.edge(popKey);
  edge = await world.cpes[0].edge(one.key);
  const beyond = await world.cpes[1].edge(two.key);
  const links = sites.map((site) => ({ site, slots: [1] as const }));
  await pop.apply(popState(links as never, popKey));
  await edge.apply(withAcl(...blocked, denied));
  await beyond.apply(cpeState(two, popKey, [1]));
  await waitUntil(far, () => pings(host, far, 1), 15_000, 100);
}, 60_000);

afterAll(async () => {
  await world?.remove();
}, 30_000);

test("packets that a rule denies are its hits, and both rules of a blocked address are one object", async () => {
  expect(await hits()).toEqual([]);
  await sends(7, far, 7_001);
  await sends(3, far, 7_002);
  await sends(2, "10.0.0.99", 7_002);
  expect(await hits()).toEqual([
    { family: "xaclrules", id: 4, count: 7 },
    { family: "blacklist", id: 9, count: 2 },
  ]);
  expect(await hits()).toEqual([]);
}, 30_000);

test("none is lost or reported twice when rules are loaded, the edge starts again, or a rule is made again", async () => {
  await sends(5, far, 7_001);
  await edge.apply(withAcl(denied));
  await sends(1, far, 7_001);
  edge = await world.cpes[0].edge(one.key);
  expect(await hits()).toEqual([{ family: "xaclrules", id: 4, count: 6 }]);
  await edge.apply(plain);
  expect(await hits()).toEqual([]);
  await edge.apply(withAcl(denied));
  await sends(2, far, 7_001);
  expect(await hits()).toEqual([{ family: "xaclrules", id: 4, count: 2 }]);
  expect(await edge.plan(withAcl(denied))).toEqual([]);
}, 30_000);

test("a flow that is allowed is one hit, however often other rules are loaded", async () => {
  const allowed = rule({
    action: "accept",
    protocol: "udp",
    targetPort: "7003",
    object: { family: "xaclrules", id: 6 },
  });
  const other = (at: number) => rule({ source: `203.0.113.${at}/32` });
  const shaped = (acl: AclRuleState[]): DesiredState => ({
    ...withAcl(...acl),
    shaping: { up: 50_000, down: 50_000, lines: [] },
    policy: {
      sets: [],
      limits: [],
      tunnels: [{ id: 5, guaranteed: 0, most: 40_000, up: true, down: true, slot: null }],
      bandwidths: [{ id: 3, tunnel: 5, hosts: null, app: null, time: null }],
    },
  });
  await edge.apply(shaped([allowed]));
  await hits();
  const script = `
    const s = require("dgram").createSocket("udp4");
    setInterval(() => s.send("x", 7003, "${far}"), 10);
    setTimeout(() => process.exit(0), 20_000);`;
  // Answered by an error of the host, or by nothing.
  const sending = host.run([process.execPath, "-e", script], { timeoutMs: 30_000 });
  const first: ObjectHits[] = [];
  const untilCounted = async () => {
    first.push(...(await hits()));
    return first.length >= 2;
  };
  await waitUntil("the hits of the flow", untilCounted, 10_000, 100);
  expect(first.toSorted((a, b) => a.id - b.id)).toEqual([
    { family: "routerBwpolicy", id: 3, count: 1 },
    { family: "xaclrules", id: 6, count: 1 },
  ]);
  const passed = async () => {
    const text = await world.cpes[0].run(["conntrack", "-L", "-p", "udp", "--dport", "7003"]);
    return Number(/mark=(\d+)/.exec(text)?.[1] ?? 0) >>> 29;
  };
  for (const at of [1, 2]) {
    const before = await passed();
    await edge.apply(shaped([allowed, other(at)]));
    await waitUntil("another generation", async () => (await passed()) !== before, 10_000, 50);
    expect(await hits()).toEqual([]);
  }
  sending.catch(() => "");
}, 60_000);
