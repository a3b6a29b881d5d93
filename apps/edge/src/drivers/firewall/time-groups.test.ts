/** Rules with a time group on real packets, under a clock that the test turns: they act in their time only. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PolicyRoute, TimeGroup } from "@weft/contract/device/v1/policy.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Daemons, waitUntil } from "#drivers/daemon.ts";
import type { Device } from "#drivers/device.ts";
import { Repairs } from "#drivers/repairs.ts";
import { createLog } from "#edge/log.ts";
import { cable, configureHost, NetnsMachine, pings } from "../../../test/netns/host.ts";
import { createFirewall, type Firewall } from "./apply.ts";
import type { FirewallPart } from "./plan.ts";
import { renderMain } from "./render.ts";

const far = { v4: "10.2.1.2", v6: "fd57:2:1::2" };
const zone = "Asia/Shanghai";
/** Mondays from 22:00 to 06:00 in Shanghai: 14:00 to 22:00 in UTC. */
const night: TimeGroup = { id: 5, weekdays: [1], start: "22:00", end: "06:00" };
const noon: TimeGroup = { id: 6, weekdays: [], start: "12:00", end: "13:00" };
const denial: PolicyRoute = {
  id: 4,
  sources: null,
  targets: null,
  time: night.id,
  slots: [],
  nat: false,
  deny: true,
};
const at = (text: string): number => Date.parse(`2026-11-${text}Z`);
const inside = at("23T15:00:00");
const outside = at("23T09:00:00");

/** Rules of a device between two LANs, with a policy route that denies everything at night; without groups there is none. */
const partOf = (groups: readonly TimeGroup[]): FirewallPart => {
  const lan = (interfaceName: string) => ({ interfaceName, direct: false, forward: true });
  const any = { source: null, target: null, sourcePort: null, targetPort: null, mac: null };
  const text = renderMain({
    wan: [],
    lan: [lan("lan0"), lan("lan1")],
    tunnelPorts: [],
    links: [],
    peers: [],
    sources: [],
    transit: false,
    closed: { networks: [], behindLines: [] },
    policy: {
      sets: [],
      limits: [],
      times: [...groups],
      timeZone: zone,
      routes: groups.length > 0 ? [denial] : [],
    },
    acl: [{ ...any, action: "accept", protocol: "any" }],
  });
  return [{ netns: null, times: { zone, groups }, text }];
};

let [site, host, other]: NetnsMachine[] = [];
let folder: string;
let now = outside;
let firewall: Firewall;
const device = (): Device => ({
  run: (...all) => (site as NetnsMachine).run(...all),
  log: createLog("silent"),
  daemons: new Daemons(folder),
  repairs: new Repairs(),
  dataDir: folder,
  runDir: folder,
  controllers: [],
  manageFrom: [],
  tunnelPrivateKey: "",
  siteTz: null,
  now: () => now,
});

const apply = async (rules: FirewallPart): Promise<string[]> => {
  const part = { rules, state: null };
  const steps = firewall.plan(part, await firewall.observe(part));
  for (const step of steps) await firewall.run(step, part);
  return steps.map(({ summary }) => summary);
};
/** What the watch over the machine does several times per second. */
const turnTo = async (instant: number): Promise<void> => {
  now = instant;
  await firewall.tend();
};
const passes = async (): Promise<boolean[]> =>
  Promise.all(Object.values(far).map((target) => pings(host as NetnsMachine, target, 1)));
const all = [true, true];
const none = [false, false];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "weft-times-"));
  [site, host, other] = await Promise.all([1, 2, 3].map(() => NetnsMachine.create()));
  const [middle, near, beyond] = [site, host, other] as [NetnsMachine, NetnsMachine, NetnsMachine];
  await cable([middle, "lan0"], [near, "eth0"]);
  await cable([middle, "lan1"], [beyond, "eth0"]);
  for (const [name, net] of [
    ["lan0", 1],
    ["lan1", 2],
  ] as const) {
    await middle.run(["ip", "addr", "add", `10.${net}.1.1/24`, "dev", name]);
    await middle.run(["ip", "addr", "add", `fd57:${net}:1::1/64`, "dev", name, "nodad"]);
    await configureHost(net === 1 ? near : beyond, "eth0", [
      { address: `10.${net}.1.2/24`, gateway: `10.${net}.1.1` },
      { address: `fd57:${net}:1::2/64`, gateway: `fd57:${net}:1::1` },
    ]);
  }
  for (const name of ["net.ipv4.ip_forward=1", "net.ipv6.conf.all.forwarding=1"])
    await middle.run(["sysctl", "-qw", name]);
  for (const target of Object.values(far))
    await waitUntil(target, () => pings(near, target, 1), 10_000, 100);
}, 60_000);

afterAll(async () => {
  await Promise.all([site, host, other].map((one) => one?.remove()));
  rmSync(folder, { recursive: true, force: true });
}, 30_000);

beforeEach(async () => {
  now = outside;
  firewall = createFirewall(device());
  await apply(partOf([night, noon]));
});

describe("a rule with a time group", { timeout: 60_000 }, () => {
  it("denies in its time, and lets through a second before and after it", async () => {
    for (const [instant, expected] of [
      [at("23T13:59:59"), all],
      [at("23T14:00:00"), none],
      // Midnight of the site, and that of UTC.
      [at("23T16:00:00"), none],
      [at("23T21:59:59"), none],
      [at("23T22:00:00"), all],
      [at("24T15:00:00"), all],
      [at("30T15:00:00"), none],
    ] as const) {
      await turnTo(instant);
      expect([new Date(instant).toISOString(), await passes()]).toEqual([
        new Date(instant).toISOString(),
        expected,
      ]);
      expect(await apply(partOf([night, noon]))).toEqual([]);
    }
  });

  it("follows a clock that jumps, forward and back", async () => {
    await turnTo(at("23T13:30:00"));
    expect(await passes()).toEqual(all);
    await turnTo(at("23T14:30:00"));
    expect(await passes()).toEqual(none);
    await turnTo(at("23T13:30:00"));
    expect(await passes()).toEqual(all);
  });

  it("stops a flow that runs, also one without answers, and lets it go on", async () => {
    const [near, beyond] = [host, other] as [NetnsMachine, NetnsMachine];
    await beyond.run(["nft", "-f", "-"], {
      input: `table inet seen {
  counter n { }
  chain c { type filter hook input priority 0; udp dport 9999 counter name "n" drop; }
}
`,
    });
    const seen = async () =>
      Number(
        /packets (\d+)/.exec(
          await beyond.run(["nft", "list", "counter", "inet", "seen", "n"]),
        )?.[1],
      );
    /** Whether packets of the flow still arrive: at least 20 are sent between two readings. */
    const arrives = async () => {
      const before = await seen();
      await new Promise((resolve) => setTimeout(resolve, 250));
      return (await seen()) > before;
    };
    const send = `const s = require("dgram").createSocket("udp4");
      s.bind(4444); setInterval(() => s.send("x", 9999, "${far.v4}"), 10);`;
    const sending = near.run(["timeout", "100", process.execPath, "-e", send]).catch(() => "");
    await waitUntil("the flow runs", arrives, 20_000, 50);
    await turnTo(inside);
    await waitUntil("the flow is stopped", async () => !(await arrives()), 20_000, 10);
    await turnTo(outside);
    await waitUntil("the flow goes on", arrives, 20_000, 10);
    await near.run(["sh", "-c", "kill $(pidof -s timeout)"]);
    await sending;
  });

  it("is right from the start when the device begins in its time, and after a group was edited", async () => {
    now = inside;
    await apply([]);
    await apply(partOf([night]));
    expect(await passes()).toEqual(none);
    const edited = partOf([{ ...night, weekdays: [2] }]);
    expect(await apply(edited)).toEqual(["load rules of the device: the document changed"]);
    expect(await passes()).toEqual(all);
  });

  it("is healed when someone empties its set", async () => {
    await turnTo(inside);
    await site?.run(["nft", "flush", "set", "inet", "weft", "s_time_5"]);
    expect(await apply(partOf([night, noon]))).toEqual([
      "load rules of the device: the kernel's differ from those loaded",
    ]);
    expect(await passes()).toEqual(none);
  });

  it("was adopted: another run of the edge turns it, and one that is gone leaves no set", async () => {
    firewall = createFirewall(device());
    await turnTo(inside);
    expect(await passes()).toEqual(none);
    await apply(partOf([]));
    expect(await passes()).toEqual(all);
    expect(await site?.run(["nft", "list", "table", "inet", "weft"])).not.toContain("s_time_");
  });

  it("of a zone that the device does not know is refused before anything changes", async () => {
    const [rules] = partOf([night]);
    if (!rules) throw new Error("no rules");
    const unknown = { ...rules, times: { zone: "Moon/Base", groups: [night] } };
    await expect(firewall.validate({ rules: [unknown], state: null })).rejects.toThrow("Moon/Base");
  });
});
