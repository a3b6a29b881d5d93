/** WAN links with a carrier that lead nowhere: what becomes of the hosts that leave by them. */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import { succeeds } from "#drivers/exec.ts";
import type { NetnsEdge, NetnsMachine } from "../../../test/netns/host.ts";
import { leavesBy, seenFrom, serveSources } from "../../../test/netns/seen-source.ts";
import { setUpTwoCableSite, twoCableSite } from "../../../test/netns/two-cable-site.ts";
import { cpeState, newKey, popState, type World } from "../../../test/netns/world.ts";

const {
  site,
  addresses: [first, second],
  state: plain,
} = twoCableSite;
const popKey = newKey();
const first6 = "2001:db8:1::20";
const second6 = "2001:db8:3::20";
const internet = "192.0.2.1";
const internet6 = "2001:db8:9::1";
/** Ports of the provider's router that the WAN links end in. */
const ports = { wan1: "c2", wan2: "isp2" } as const;
type Wan = keyof typeof ports;

const plain6: DesiredState = {
  ...plain,
  underlay: {
    ...plain.underlay,
    lines: plain.underlay.lines.map((line) =>
      line.slot === 1
        ? { ...line, ip: `${first6}/64`, gateway: "2001:db8:1::1" }
        : { ...line, ip: `${second6}/64`, gateway: "2001:db8:3::1" },
    ),
  },
};
/** With a link over each, and the second one static. */
const linked: DesiredState = {
  ...cpeState(site, popKey, [1, 2]),
  underlay: plain.underlay,
};

let world: World;
let edge: NetnsEdge;
let cpe: NetnsMachine;
let host: NetnsMachine;

/** Whatever the device sends by these is dropped, and their carrier stays. */
const silence = async (...names: Wan[]): Promise<void> => {
  const chains = names.map(
    (name) =>
      `chain ${name} { type filter hook ingress device "${ports[name]}" priority 0; drop; }`,
  );
  await succeeds(world.inet.run, ["nft", "delete", "table", "netdev", "silent"]);
  if (names.length > 0)
    await world.inet.run(["nft", "-f", "-"], {
      input: `table netdev silent {\n${chains.join("\n")}\n}\n`,
    });
};

/** What passes a port of the provider's router in a direction is dropped by a rule; without one all passes. */
const fault = async (hook: "ingress" | "egress", name: Wan, rule: string): Promise<void> => {
  await succeeds(world.inet.run, ["nft", "delete", "table", "netdev", "fault"]);
  await world.inet.run(["nft", "-f", "-"], {
    input: `table netdev fault {
      chain c { type filter hook ${hook} device "${ports[name]}" priority 0; ${rule}; }
    }\n`,
  });
};
const noFault = () => succeeds(world.inet.run, ["nft", "delete", "table", "netdev", "fault"]);

/** The gateway of the first link answers, and passes nothing on, to its neighbours neither. */
const cutBehind = () => fault("ingress", "wan1", "ip daddr != 198.51.100.1 drop");

const isReported = (state: DesiredState, finding: string): Promise<void> =>
  waitUntil(
    `the reason ${finding}`,
    async () => (await findings(state)).includes(finding),
    60_000,
    100,
  );
const nothingReported = (state: DesiredState): Promise<void> =>
  waitUntil("no finding", async () => (await findings(state)).length === 0, 60_000, 100);

const flow = { from: "10.0.0.100", to: internet };
const flow6 = { from: "fd57:1:2::100", to: internet6 };

const findings = async (state: DesiredState) =>
  (await edge.findings(state)).map(({ object, reason }) => `${object} ${reason}`);

const defaults = async (): Promise<string[]> =>
  (await cpe.run(["ip", "route", "show", "default"]))
    .split("\n")
    .flatMap((line) => / dev (\w+) .*metric (\d+)/.exec(line)?.slice(1, 3).join(" ") ?? []);

setUpTwoCableSite(async (machines) => {
  ({ world, cpe, host } = machines);
  const { inet } = world;
  await inet.run(["sysctl", "-q", "-w", "net.ipv6.conf.all.forwarding=1"]);
  for (const [address, name] of [
    ["2001:db8:1::1/64", "isp1"],
    ["2001:db8:3::1/64", "isp2"],
    [`${internet6}/128`, "lo"],
  ] as const)
    await inet.run(["ip", "-6", "addr", "add", address, "dev", name, "nodad"]);
  await serveSources(inet, internet);
  edge = await cpe.edge(site.key);
});

/** Every test begins with a device whose links answer. */
beforeEach(async () => {
  await noFault();
  await silence();
  await edge.apply(plain);
  await leavesBy(host, first, flow);
}, 120_000);

describe("a WAN link without tunnels", { timeout: 180_000 }, () => {
  it("that answers nothing is left by hosts, is reported, and is used again once it answers", async () => {
    await silence("wan1");
    await leavesBy(host, second, flow);
    expect(await edge.ask("lines")).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ interfaceName: "wan1", up: true, isSilent: true }),
        expect.objectContaining({ interfaceName: "wan2", up: true, isSilent: false }),
      ]),
    );
    expect(await findings(plain)).toEqual(["wan1 lineSilent"]);
    expect(await edge.plan(plain)).toEqual([]);
    await silence();
    await leavesBy(host, first, flow);
    expect(await findings(plain)).toEqual([]);
    expect(await edge.plan(plain)).toEqual([]);
  });

  it("from which nothing comes back is left, though what it sends arrives", async () => {
    await fault("egress", "wan1", "drop");
    await leavesBy(host, second, flow);
    await isReported(plain, "wan1 lineSilent");
    await noFault();
    await leavesBy(host, first, flow);
    await nothingReported(plain);
  });

  it("that loses 60 of 100 packets is left, is reported, and is used again once it loses none", async () => {
    await fault("ingress", "wan1", "numgen random mod 100 < 60 drop");
    await waitUntil(
      "a finding",
      async () => /^wan1 line(Lossy|Silent)$/.test((await findings(plain)).join()),
      60_000,
      100,
    );
    await leavesBy(host, second, flow);
    expect(await edge.ask("lines")).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ interfaceName: "wan1", isSilent: true })]),
    );
    await noFault();
    await leavesBy(host, first, flow);
    await nothingReported(plain);
  });

  it("stays left by the next run of the edge", async () => {
    await silence("wan1");
    await leavesBy(host, second, flow);
    edge = await cpe.edge(site.key);
    expect(await edge.plan(plain)).toEqual([]);
    expect(await defaults()).toEqual(["wan2 102", "wan1 1101"]);
  });

  it("is passed over by policy routes", async () => {
    const route = { id: 3, sources: null, targets: null, time: null, slots: [1], nat: true };
    const routed = { ...plain, policy: { limits: [], sets: [], routes: [route] } };
    await edge.apply(routed);
    await leavesBy(host, first, flow);
    await silence("wan1");
    await leavesBy(host, second, flow);
  });

  it("that fell last goes on while all are silent", async () => {
    await silence("wan1");
    await leavesBy(host, second, flow);
    await silence("wan1", "wan2");
    await waitUntil(
      "both reported",
      async () => (await findings(plain)).join() === "wan1 lineSilent,wan2 lineSilent",
      60_000,
      100,
    );
    expect(await defaults()).toEqual(["wan2 102", "wan1 1101"]);
    await silence("wan1");
    expect(await seenFrom(host, "10.0.0.100", internet)).toBe(second);
  });

  it("is left in IPv6 as well", async () => {
    await edge.apply(plain6);
    await leavesBy(host, first6, flow6);
    await silence("wan1");
    await leavesBy(host, second6, flow6);
    expect(await findings(plain6)).toEqual(["wan1 lineSilent"]);
    await silence();
    await leavesBy(host, first6, flow6);
  });

  it("whose cable is out is reported as down and not as silent", async () => {
    await world.inet.run(["ip", "link", "set", ports.wan1, "down"]);
    await leavesBy(host, second, flow);
    expect(await findings(plain)).toEqual([]);
    await world.inet.run(["ip", "link", "set", ports.wan1, "up"]);
    await leavesBy(host, first, flow);
  });
});

describe("a WAN link with tunnels", { timeout: 180_000 }, () => {
  beforeEach(async () => {
    const hub = await world.pop.edge(popKey);
    await hub.apply(popState([{ site, slots: [1, 2] }], popKey));
    await edge.apply(linked);
    await waitUntil(
      "links",
      async () => (await edge.measures()).filter(({ up }) => up).length === 2,
      60_000,
      100,
    );
    await leavesBy(host, first, flow);
  }, 120_000);

  it("that answers nothing is left by hosts", async () => {
    await silence("wan1");
    await leavesBy(host, second, flow);
    expect(await findings(linked)).toContain("wan1 lineSilent");
    await silence();
    await leavesBy(host, first, flow);
  });

  it("whose gateway alone answers is left, while another leads further", async () => {
    await cutBehind();
    await leavesBy(host, second, flow);
    await isReported(linked, "wan1 lineCut");
    await noFault();
    await leavesBy(host, first, flow);
    await nothingReported(linked);
  });
});
