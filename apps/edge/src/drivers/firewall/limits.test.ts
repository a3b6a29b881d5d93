/** Connection-number controls on real flows of both families: who is refused, who is not, and what stays. */
import type { PolicySection } from "@weft/contract/device/v1/policy.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
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
const plain = cpeState(one, popKey, [1]);
const far = { v4: "10.0.0.100", v6: "fd57:1:2::100" };
/** A second address of the same host. */
const other = "10.1.1.101";
const port = 7_000;

const withPolicy = (policy: PolicySection): DesiredState => ({ ...plain, policy });
/** Counts what comes to a port, and answers nothing. */
const countUdp = `table inet seen {
  counter n { }
  chain c { type filter hook input priority 0; udp dport 9999 counter name n drop; }
}
`;
/** Ten flows of each address of the host. */
const ten = withPolicy({
  sets: [{ id: 5, members: ["10.1.1.90-10.1.1.100", "fd57:1:1::/64"] }],
  limits: [{ id: 3, set: 5, connections: 10, perSecond: null }],
});

let world: World;
let edge: NetnsEdge;
let host: NetnsMachine;

/** Holds so many TCP connections at once. @returns how each ended: "open", or its error */
const opens = async (count: number, to: string, from?: string): Promise<string[]> => {
  const script = `
    const net = require("net");
    const one = () => new Promise((resolve) => {
      const s = net.connect({ host: "${to}", port: ${port}${from ? `, localAddress: "${from}"` : ""} });
      s.once("connect", () => resolve("open")).once("error", (e) => resolve(e.code));
      setTimeout(() => resolve("silence"), 30_000);
    });
    (async () => {
      const ends = [];
      for (let n = 0; n < ${count}; n++) ends.push(await one());
      console.log(JSON.stringify(ends));
      process.exit(0);
    })();`;
  return JSON.parse(await host.run([process.execPath, "-e", script], { timeoutMs: 120_000 }));
};
const open = (ends: readonly string[]): number => ends.filter((end) => end === "open").length;
/** Leaves a process with six TCP connections. @returns its id */
const holdSix = async (): Promise<string> => {
  const script = `
    let open = 0;
    for (let n = 0; n < 6; n++)
      require("net").connect(${port}, "${far.v4}", () => (open += 1) === 6 && console.log("six"));`;
  const start = `${process.execPath} -e '${script}' > /run/held 2>&1 & printf $!`;
  const pid = await host.run(["sh", "-c", start]);
  const areOpen = async () => (await host.run(["cat", "/run/held"])).trim() === "six";
  await waitUntil("six flows are open", areOpen, 60_000, 100);
  return pid.trim();
};
const refused = async (id: number): Promise<number> => {
  const text = await world.cpes[0].run([
    ...(["nft", "list", "counter", "inet", "weft", `h_routerConnlimit_${id}`] as const),
  ]);
  return Number(/packets (\d+)/.exec(text)?.[1]);
};
/** No flow is known to the device any more; the last packets of those that end are over, too. */
const forgetFlows = () =>
  waitUntil(
    "flows are forgotten",
    async () => {
      const [cpe] = world.cpes;
      const known = await cpe.run(["conntrack", "-L", "-p", "tcp", "--dport", `${port}`]);
      if (known.trim() === "") return true;
      await cpe.run(["conntrack", "-F"]);
      return false;
    },
    60_000,
    100,
  );

beforeAll(async () => {
  world = await createWorld(sites);
  [host] = world.hosts;
  const [pop, near, beyond] = [
    await world.pop.edge(popKey),
    await world.cpes[0].edge(one.key),
    await world.cpes[1].edge(two.key),
  ];
  edge = near;
  await pop.apply(
    popState(
      [
        { site: one, slots: [1] },
        { site: two, slots: [1] },
      ],
      popKey,
    ),
  );
  await edge.apply(plain);
  await beyond.apply(cpeState(two, popKey, [1]));
  await host.run(["ip", "addr", "add", `${other}/24`, "dev", "eth0"]);
  const listen = `require("net").createServer((s) => s.on("error", () => {})).listen(${port}, "::")`;
  void world.hosts[1].run([process.execPath, "-e", listen], { timeoutMs: 300_000 }).catch(() => "");
  for (const address of Object.values(far))
    await waitUntil(address, () => pings(host, address, 1), 15_000, 100);
  await waitUntil("the server", async () => open(await opens(1, far.v4)) === 1, 10_000, 100);
}, 60_000);

afterAll(async () => {
  await world?.remove();
}, 30_000);

describe("a limit of the number of flows", { timeout: 60_000 }, () => {
  it("refuses with a reset what is above it, in both families", async () => {
    expect(open(await opens(12, far.v4))).toBe(12);
    await forgetFlows();
    await edge.apply(ten);
    for (const to of Object.values(far)) {
      const ends = await opens(12, to);
      expect([to, open(ends), ends.slice(10)]).toEqual([to, 10, ["ECONNREFUSED", "ECONNREFUSED"]]);
    }
    expect(await refused(3)).toBeGreaterThanOrEqual(4);
    expect(await edge.plan(ten)).toEqual([]);
  });

  it("counts each source by itself, and no source outside of its group", async () => {
    await forgetFlows();
    expect(open(await opens(10, far.v4))).toBe(10);
    expect(open(await opens(14, far.v4, other))).toBe(14);
  });

  it("leaves what exists, and ends with the flows: others may begin then", async () => {
    await forgetFlows();
    expect(open(await opens(12, far.v4))).toBe(10);
    await forgetFlows();
    expect(open(await opens(10, far.v4))).toBe(10);
  });

  it("is about every host of the LANs where it has no group", async () => {
    const all = withPolicy({
      sets: [],
      limits: [{ id: 4, set: null, connections: 5, perSecond: null }],
    });
    await edge.apply(all);
    for (const from of ["10.1.1.100", other]) {
      await forgetFlows();
      expect(open(await opens(7, far.v4, from))).toBe(5);
    }
    expect(await edge.plan(all)).toEqual([]);
  });

  it("acts with another number on sources that have flows already", async () => {
    const numbered = (connections: number) =>
      withPolicy({ sets: [], limits: [{ id: 8, set: null, connections, perSecond: null }] });
    await forgetFlows();
    await edge.apply(numbered(6));
    const pid = await holdSix();
    expect(open(await opens(2, far.v4))).toBe(0);
    await edge.apply(numbered(20));
    expect(open(await opens(8, far.v4))).toBe(8);
    await edge.apply(numbered(3));
    expect(open(await opens(8, far.v4))).toBe(3);
    expect(await edge.plan(numbered(3))).toEqual([]);
    await host.run(["kill", pid]);
  });

  it("of flows per second refuses what comes faster", async () => {
    const slow = withPolicy({
      sets: [],
      limits: [{ id: 6, set: null, connections: 1_000, perSecond: 5 }],
    });
    await forgetFlows();
    await edge.apply(slow);
    // A machine that is busy may open them so slowly that all are within the limit.
    let opened = 0;
    const refuses = async () => {
      opened = open(await opens(40, far.v4));
      return opened < 30;
    };
    await waitUntil("some are refused", refuses, 60_000);
    expect(opened).toBeGreaterThanOrEqual(5);
    await waitUntil(
      "a second later",
      async () => open(await opens(1, far.v4)) === 1,
      60_000,
      1_000,
    );
  });

  it("counts a flow without answers once, not its packets", async () => {
    const slow = withPolicy({
      sets: [],
      limits: [{ id: 7, set: null, connections: 1_000, perSecond: 5 }],
    });
    await forgetFlows();
    await edge.apply(slow);
    // No program listens there; what the far host answers would make the flow known at both ends.
    await world.hosts[1].run(["nft", "-f", "-"], { input: countUdp });
    const send = `
      const s = require("dgram").createSocket("udp4");
      let left = 60;
      const timer = setInterval(() => {
        s.send("x", 9999, "${far.v4}");
        if ((left -= 1) === 0) { clearInterval(timer); setTimeout(() => process.exit(0), 300); }
      }, 10);`;
    await host.run([process.execPath, "-e", send]);
    const text = await world.hosts[1].run(["nft", "list", "counter", "inet", "seen", "n"]);
    expect(/packets (\d+)/.exec(text)?.[1]).toBe("60");
    expect(await refused(7)).toBe(0);
  });

  it("leaves no trace when it is removed", async () => {
    await edge.apply(plain);
    await forgetFlows();
    expect(open(await opens(20, far.v4))).toBe(20);
    const table = await world.cpes[0].run(["nft", "list", "table", "inet", "weft"]);
    for (const name of [
      "c_limit",
      "c_refuse",
      "s_ip4_5",
      "d_flows",
      "d_started",
      "h_routerConnlimit",
    ])
      expect(table).not.toContain(name);
    expect(await edge.plan(plain)).toEqual([]);
  });
});
