/** Flows of a site's hosts are recorded while its audit log is on, against connection tracking of this machine. */
import type { FlowRecord } from "@weft/contract/device/v1/flow-records.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import { type NetnsEdge, type NetnsMachine, pings } from "../../../test/netns/host.ts";
import { cutPower } from "../../../test/netns/power.ts";
import { seenFrom, serveSources } from "../../../test/netns/seen-source.ts";
import { setUpTwoCableSite, twoCableSite } from "../../../test/netns/two-cable-site.ts";
import type { World } from "../../../test/netns/world.ts";
import { parseAge, parseFlow } from "./parse.ts";

const {
  site,
  addresses: [line],
  state: plain,
} = twoCableSite;
const recording: DesiredState = { ...plain, system: { restartAt: null, flowRecords: true } };
const hostAddress = "10.0.0.100";
const hostAddress6 = "fd57:1:2::100";
const internet = "192.0.2.1";
const server = 7_000;
const settings = ["nf_conntrack_acct", "nf_conntrack_timestamp"] as const;

let world: World;
let edge: NetnsEdge;
let cpe: NetnsMachine;
let host: NetnsMachine;

const records = async () => (await edge.ask("flows")) as FlowRecord[];
const deliver = async (state: DesiredState, ends: "confirm" | "miss" = "confirm") => {
  await edge.ask("deliver", state);
  await edge.ask(ends);
};
const start = async (): Promise<void> => {
  edge = await cpe.edge(site.key);
  await edge.boot(plain);
};

/** The kernel keeps entries of flows that ended for minutes. */
const hasten = async (): Promise<void> => {
  for (const name of [
    "tcp_timeout_time_wait",
    "tcp_timeout_close",
    "icmp_timeout",
    "icmpv6_timeout",
  ])
    await cpe.run(["sysctl", "-q", "-w", `net.netfilter.nf_conntrack_${name}=1`]);
};

const counts = async (): Promise<string[]> =>
  Promise.all(
    settings.map(async (name) => (await cpe.run(["sysctl", "-n", `net.netfilter.${name}`])).trim()),
  );

const followers = (): Promise<string> =>
  cpe.run(["sh", "-c", "pgrep -fa 'conntrack [-]E' || true"]).then((text) => text.trim());

const isOfServer = ({ destinationPort }: FlowRecord): boolean => destinationPort === server;

/** A flow of the host to the server, ended and out of the kernel's table. */
const flow = async (): Promise<void> => {
  expect(await seenFrom(host, hostAddress, internet)).toBe(line);
  const isGone = async () => {
    const text = await cpe.run(["conntrack", "-L", "-p", "tcp", "--dport", `${server}`]);
    return !text.includes(`dport=${server}`);
  };
  await waitUntil("the end of the flow", isGone, 60_000, 100);
};

const recordsOfServer = async (count: number): Promise<FlowRecord[]> => {
  await waitUntil(
    `${count} records`,
    async () => (await records()).filter(isOfServer).length >= count,
    60_000,
    100,
  );
  return (await records()).filter(isOfServer);
};

/** Bytes of IP that the server got, and sent. */
const countAtServer = (): Promise<string> =>
  world.inet.run(["nft", "-f", "-"], {
    input: `table inet t_seen {
      counter got { }
      counter sent { }
      chain a { type filter hook input priority 0; tcp dport ${server} counter name got; }
      chain b { type filter hook output priority 0; tcp sport ${server} counter name sent; }
    }
`,
  });

const bytesAtServer = async (name: string): Promise<number> => {
  const text = await world.inet.run(["nft", "-j", "list", "counter", "inet", "t_seen", name]);
  const { nftables } = JSON.parse(text) as {
    nftables: { readonly counter?: { readonly bytes: number } }[];
  };
  return nftables.find(({ counter }) => counter)?.counter?.bytes ?? 0;
};

setUpTwoCableSite(async (machines) => {
  ({ world, cpe, host } = machines);
  await start();
  await deliver(plain);
  await serveSources(world.inet, internet);
  await countAtServer();
  await waitUntil("the internet", () => pings(host, internet, 1), 60_000, 100);
  await hasten();
});

describe("flows of hosts", { timeout: 240_000 }, () => {
  it("are not recorded while the audit log is off", async () => {
    await flow();
    expect(await records()).toEqual([]);
    expect(await followers()).toBe("");
  });

  it("are recorded with the bytes that the server counts, and those of the device are not", async () => {
    await deliver(recording);
    await edge.settled(recording);
    const [got, sent] = [await bytesAtServer("got"), await bytesAtServer("sent")];
    await cpe.run(["ping", "-n", "-c", "1", internet]);
    await flow();
    const [record] = await recordsOfServer(1);
    expect(record).toMatchObject({
      protocol: 6,
      source: hostAddress,
      destination: internet,
      outBytes: (await bytesAtServer("got")) - got,
      inBytes: (await bytesAtServer("sent")) - sent,
    });
    expect((await records()).map(({ source }) => source)).not.toContain(line);
  });

  it("are recorded in IPv6", async () => {
    expect(await pings(host, site.lan6.replace("/64", ""), 2)).toBe(true);
    const isRecorded = async () => {
      // The kernel itself looks for entries that are over once a minute only; a list leaves them out.
      await cpe.run(["conntrack", "-L", "-f", "ipv6"]);
      return (await records()).some(({ source }) => source === hostAddress6);
    };
    await waitUntil("the record", isRecorded, 60_000, 100);
  });

  it("that go on are found in the kernel's list by their age", async () => {
    const entry = ["-p", "tcp", "-s", hostAddress, "-d", internet, "--sport", "1", "--dport", "2"];
    const state = ["--state", "ESTABLISHED", "--timeout", "600"];
    await cpe.run(["conntrack", "-I", ...entry, ...state]);
    const text = await cpe.run(["conntrack", "-L", "-f", "ipv4", "-o", "extended,id,ktimestamp"]);
    const [found] = text.split("\n").filter((one) => one.includes("sport=1 dport=2 "));
    expect(parseAge(found ?? "")?.id).toBe(parseFlow(found ?? "")?.id);
    expect(parseAge(found ?? "")?.seconds).toBeGreaterThanOrEqual(0);
    await cpe.run(["conntrack", "-D", ...entry]);
  });

  it("are recorded after a power cut before any contact", async () => {
    await cutPower(cpe);
    for (const name of settings) await cpe.run(["sysctl", "-q", "-w", `net.netfilter.${name}=0`]);
    await start();
    await hasten();
    await waitUntil("the internet", () => pings(host, internet, 1), 60_000, 100);
    await flow();
    expect(await recordsOfServer(1)).toHaveLength(1);
  });

  it("are recorded again when a state without the audit log is rolled back", async () => {
    await deliver(plain, "miss");
    await flow();
    expect(await recordsOfServer(2)).toHaveLength(2);
  });

  it("are no longer recorded when it is off, and nothing is left", async () => {
    const none = [["0", "0"], ""];
    const left = async () => [await counts(), await followers()];
    const before = (await records()).filter(isOfServer).length;
    await deliver(plain);
    expect(await left()).toEqual(none);
    await flow();
    await deliver(recording);
    await flow();
    expect(await recordsOfServer(before + 1)).toHaveLength(before + 1);
    await deliver(plain);
    expect(await left()).toEqual(none);
    await deliver(recording, "miss");
    expect(await left()).toEqual(none);
  });

  it("leave settings of the kernel on that somebody else had turned on", async () => {
    const [bytes] = settings;
    await cpe.run(["sysctl", "-q", "-w", `net.netfilter.${bytes}=1`]);
    await deliver(recording);
    expect(await counts()).toEqual(["1", "1"]);
    await deliver(plain);
    expect(await counts()).toEqual(["1", "0"]);
    await edge.settled(plain);
  });
});
