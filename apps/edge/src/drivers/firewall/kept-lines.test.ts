/** Which WAN link flows of hosts keep while links come and go, with addresses that are translated. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import type { NetnsEdge, NetnsMachine } from "../../../test/netns/host.ts";
import { flowsUntil, seenFrom, serveSources } from "../../../test/netns/seen-source.ts";
import { setUpTwoCableSite, twoCableSite } from "../../../test/netns/two-cable-site.ts";
import type { World } from "../../../test/netns/world.ts";

const {
  site,
  addresses: [first, second],
  state: plain,
} = twoCableSite;
const hostAddress = "10.0.0.100";
const internet = "192.0.2.1";

let world: World;
let edge: NetnsEdge;
let cpe: NetnsMachine;
let host: NetnsMachine;

const plug = async (isIn: boolean): Promise<void> => {
  await world.inet.run(["ip", "link", "set", "c2", isIn ? "up" : "down"]);
  await leavesBy(isIn ? first : second);
};

/** Where a new flow leaves. */
const leavesBy = (source: string): Promise<void> =>
  waitUntil(
    `the internet by ${source}`,
    async () => (await seenFrom(host, hostAddress, internet)) === source,
    60_000,
    50,
  );

/** Flows that are open by a WAN link. */
const areOpen = (source: string): Promise<void> =>
  waitUntil(
    "open flows",
    async () => {
      const text = await cpe.run(["conntrack", "-L", "-s", hostAddress]);
      const lines = text.split("\n").filter((line) => line.includes(`dst=${source} `));
      return (
        lines.some((line) => line.startsWith("tcp") && line.includes("ESTABLISHED")) &&
        lines.some((line) => line.startsWith("udp") && !line.includes("UNREPLIED"))
      );
    },
    60_000,
    50,
  );

let files = 0;
interface Flows {
  readonly lines: Promise<string[]>;
  readonly end: () => Promise<void>;
  /** Whether the connection has ended by itself. */
  readonly isClosed: () => boolean;
}

const begin = async (): Promise<Flows> => {
  // The port of the datagrams is that of the flow before.
  await cpe.run(["conntrack", "-F"]);
  files += 1;
  const file = join(host.dataDir, `end${files}`);
  return {
    lines: flowsUntil(host, hostAddress, internet, file),
    end: () => writeFile(file, ""),
    isClosed: () => existsSync(`${file}.closed`),
  };
};

setUpTwoCableSite(async (machines) => {
  ({ world, cpe, host } = machines);
  edge = await cpe.edge(site.key);
  await edge.apply(plain);
  await edge.ask("watch", plain);
  await serveSources(world.inet, internet);
});

describe("a flow of a host", { timeout: 180_000 }, () => {
  it("stays on its link when the first one returns, and while that flaps", async () => {
    await plug(false);
    const flows = await begin();
    await areOpen(second);
    for (const isIn of [true, false, true]) await plug(isIn);
    await areOpen(second);
    await flows.end();
    expect([...new Set(await flows.lines)].sort()).toEqual([`tcp ${second}`, `udp ${second}`]);
  });

  it("stays on its link when the rules are loaded again", async () => {
    await plug(false);
    const flows = await begin();
    await areOpen(second);
    await plug(true);
    const set = [{ id: 8, members: ["203.0.113.77"] }];
    await edge.apply({ ...plain, policy: { sets: set, limits: [] } });
    await edge.apply(plain);
    await areOpen(second);
    await flows.end();
    expect([...new Set(await flows.lines)].sort()).toEqual([`tcp ${second}`, `udp ${second}`]);
  });

  it("ends with its link, so that its host connects again by another", async () => {
    await plug(true);
    const flows = await begin();
    await areOpen(first);
    await plug(false);
    const hasMoved = async () =>
      (await cpe.run(["conntrack", "-L", "-s", hostAddress, "-p", "udp"])).includes(
        `dst=${second}`,
      );
    await waitUntil("datagrams by the other link", hasMoved, 60_000, 50);
    await waitUntil("the end of the connection", flows.isClosed, 60_000, 50);
    await flows.end();
    const lines = await flows.lines;
    expect(lines.filter((line) => line.startsWith("tcp")).at(-1)).toBe("tcp ECONNRESET");
    expect(lines).toContain(`udp ${second}`);
    await plug(true);
  });
});
