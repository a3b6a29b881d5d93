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
  ...{ action: "drop", protocol: "any", source: null, target: null },
  ...{ sourcePort: null, targetPort: null, mac: null, ...given },
});
const withAcl = (...acl: AclRuleState[]): DesiredState => ({
  ...plain,
  firewall: { ...plain.firewall, acl },
});
const denied = rule({
  ...{ protocol: "udp", targetPort: "7001" },
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
