import { prefixText } from "@weft/contract/rules/address.ts";
import { familyOf } from "#drivers/address.ts";
import { failedLines } from "#drivers/batch.ts";
import { type Device, ownProtocol } from "#drivers/device.ts";
import type { Driver } from "#drivers/driver.ts";
import { ipJson } from "#drivers/ip-json.ts";
import { ensureNetns, listNetns } from "#drivers/netns.ts";
import { ObjectsRefused } from "#drivers/refusals.ts";
import { reasonOf } from "#edge/log.ts";
import {
  batchOf,
  type Closed,
  type IsolationPart,
  type IsolationStep,
  metric,
  namesOf,
  networksWithFlows,
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
      if (row.metric === metric) networks.push(prefixText(row.dst));
    }
  }
  return { netns, networks };
};

const observe = async (device: Device, part: IsolationPart): Promise<Closed[]> => {
  const wanted = part.flatMap(({ netns }) => netns ?? []);
  const there = wanted.length === 0 ? [] : listNetns();
  const all = [null, ...wanted.filter((netns) => there.includes(netns))];
  return Promise.all(all.map((netns) => readClosed(device, netns)));
};

const families = [
  ["ipv4", 4],
  ["ipv6", 6],
] as const;
/** A dump of a busy device is long. */
const dumpTimeoutMs = 30_000;

/**
 * Ends flows that left by a line, with its address, before the network was known to be the space's:
 * their entries would send them there for ever, also once there is a tunnel. The entries are read
 * once: most networks have none, and asking for each by itself holds up the first line.
 */
const endStrayed = async (device: Device, networks: readonly string[]): Promise<void> => {
  for (const [name, family] of families) {
    const here = networks.filter((network) => familyOf(network) === family);
    const warn = (error: unknown): string => {
      // Status 1 when they ended meanwhile; a device without the tool has to wait until they do.
      const why = reasonOf(error);
      if (!why.includes("0 flow entries"))
        device.log.warn({ family, why }, "flow entries could not be removed");
      return "";
    };
    if (here.length === 0) continue;
    const flows = ["-f", name, "--src-nat"] as const;
    const dump = await device
      .run(["conntrack", "-L", ...flows], { timeoutMs: dumpTimeoutMs })
      .catch(warn);
    for (const network of networksWithFlows(here, dump))
      await device.run(["conntrack", "-D", ...flows, "-d", network]).catch(warn);
  }
};

const run = async (
  device: Device,
  { kind, netns, networks }: IsolationStep,
  part: IsolationPart,
): Promise<void> => {
  if (kind === "close" && netns !== null) await ensureNetns(device.run, netns);
  const input = batchOf(kind, networks);
  const done = device.run(["ip", "-force", "-batch", "-"], { netns, input });
  if (kind === "open") {
    // Removing them a second time fails, line by line.
    await done.catch(() => {});
    return;
  }
  const failure: unknown = await done.then(
    () => null,
    (error: unknown) => error,
  );
  if (netns === null) await endStrayed(device, networks);
  if (failure === null) return;
  const wanted = part.find((space) => space.netns === netns);
  const refused = failedLines(failure).flatMap(({ line, why }) => {
    const network = networks[line];
    return wanted === undefined || network === undefined
      ? []
      : namesOf(wanted, network).map((about) => ({ about, why }));
  });
  throw refused.length > 0 ? new ObjectsRefused(refused) : failure;
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
  run: (step, part) => run(device, step, part),
});
