import { familyOf } from "#drivers/address.ts";
import { type Device, ownProtocol } from "#drivers/device.ts";
import type { Driver } from "#drivers/driver.ts";
import { ipJson } from "#drivers/ip-json.ts";
import { ensureNetns, listNetns } from "#drivers/netns.ts";
import { reasonOf } from "#edge/log.ts";
import {
  batchOf,
  type Closed,
  type IsolationPart,
  type IsolationStep,
  metric,
  pickIsolation,
  planIsolation,
} from "./plan.ts";

interface RouteRow {
  readonly dst: string;
  readonly metric?: number;
}

const readClosed = async (device: Device, netns: string | null): Promise<Closed> => {
  const networks: string[] = [];
  for (const family of [4, 6] as const) {
    const args = [`-${family}`, "route", "show", "proto", ownProtocol, "type", "unreachable"];
    for (const row of await ipJson<RouteRow>(device.run, args, netns)) {
      const length = family === 4 ? 32 : 128;
      if (row.metric !== metric) continue;
      networks.push(row.dst.includes("/") ? row.dst : `${row.dst}/${length}`);
    }
  }
  return { netns, networks };
};

const observe = async (device: Device, part: IsolationPart): Promise<Closed[]> => {
  const wanted = part.flatMap(({ netns }) => netns ?? []);
  const there = wanted.length === 0 ? [] : await listNetns(device.run);
  const all = [null, ...wanted.filter((netns) => there.includes(netns))];
  return Promise.all(all.map((netns) => readClosed(device, netns)));
};

/**
 * Ends flows that left by a line, with its address, before the network was known to be the space's:
 * their entries would send them there for ever, also once there is a tunnel.
 */
const endStrayed = async (device: Device, networks: readonly string[]): Promise<void> => {
  for (const network of networks) {
    const family = familyOf(network) === 4 ? "ipv4" : "ipv6";
    const argv = ["conntrack", "-D", "-f", family, "-d", network, "--src-nat"] as const;
    await device.run([...argv]).catch((error: unknown) => {
      // Status 1 without an entry; a device without the tool has to wait until they end by themselves.
      const why = reasonOf(error);
      if (!why.includes("0 flow entries")) device.log.warn({ network, why }, "flows are not ended");
    });
  }
};

const run = async (device: Device, { kind, netns, networks }: IsolationStep): Promise<void> => {
  if (kind === "close" && netns !== null) await ensureNetns(device.run, netns);
  const input = batchOf(kind, networks);
  const force = kind === "open" ? (["-force"] as const) : [];
  const done = device.run(["ip", ...force, "-batch", "-"], { netns, input });
  // Removing them a second time fails, line by line.
  await (kind === "open" ? done.catch(() => {}) : done);
  if (kind === "close" && netns === null) await endStrayed(device, networks);
};

/** Networks of the node's spaces never leave by a line (fail closed). */
export const createIsolation = (
  device: Device,
): Driver<IsolationPart, readonly Closed[], IsolationStep> => ({
  name: "isolation",
  pick: pickIsolation,
  validate: async () => {},
  observe: (part) => observe(device, part),
  plan: planIsolation,
  run: (step) => run(device, step),
});
