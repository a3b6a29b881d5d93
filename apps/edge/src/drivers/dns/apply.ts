import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DnsControl } from "@weft/contract/device/v1/dns.ts";
import { waitUntil } from "#drivers/daemon.ts";
import type { Device } from "#drivers/device.ts";
import type { Driver, Machine } from "#drivers/driver.ts";
import { succeeds } from "#drivers/exec.ts";
import { learnedSet } from "#drivers/learned-sets.ts";
import { replaceFile, textOf } from "#drivers/replace-file.ts";
import { readLeases } from "#drivers/underlay/lease.ts";
import { reasonOf } from "#edge/log.ts";
import { changedSets, controlledServers, renderSets, watchedOf } from "./controls.ts";
import { Exhaustion, type RangeUse, useOf } from "./exhausted.ts";
import { ServerHealth } from "./health.ts";
import { leasesOf, parseLeases } from "./leases.ts";
import { controlsOfDay } from "./names.ts";
import { type DnsFound, type DnsPart, type DnsStep, pickDns, planDns } from "./plan.ts";
import { type DnsPaths, nameserversOf, renderServers } from "./render.ts";

export interface Resolver extends Driver<DnsPart, DnsFound, DnsStep> {
  /** Follows the servers of the lines, and starts again what died. */
  tend(): Promise<void>;
  readonly reports: Pick<Machine, "hostLeases" | "resolverFailure" | "exhaustedRanges">;
}

const daemon = "dns";
/** It binds its sockets within milliseconds; the check of IPv6 addresses for duplicates takes a second or two. */
const startMs = 5_000;
/** Rounds of the watch (each a quarter of a second) between two checks of the servers of the lines. */
const serverRounds = 4;

export const dnsPaths = ({ runDir, dataDir }: Pick<Device, "runDir" | "dataDir">): DnsPaths => ({
  config: join(runDir, "dns/dnsmasq.conf"),
  servers: join(runDir, "dns/servers.conf"),
  sets: join(runDir, "dns/sets.conf"),
  pid: join(runDir, "dns/dnsmasq.pid"),
  leases: join(dataDir, "dns/leases"),
});

/** Read by the program after it gave up its rights. */
const write = (file: string, text: string): void => replaceFile(file, text, 0o644);

type Served = NonNullable<DnsPart>;

/** Controls of today. */
const activeOf = ({ now }: Device, { controls }: Served): DnsControl[] =>
  controls ? controlsOfDay(controls.dns.controls ?? [], now(), controls.dns.timeZone) : [];

/** Sets that today's answers are put into. */
const setsOf = (device: Device, part: Served): string =>
  part.controls ? renderSets(activeOf(device, part), part.controls) : "";

/** What was learned for names that a control or group no longer decides about, or did not before, is none of its answers. */
const writeSets = async (device: Device, { sets }: DnsPaths, part: Served): Promise<void> => {
  const text = setsOf(device, part);
  const changed = changedSets(textOf(sets) ?? "", text);
  write(sets, text);
  // It fails where the firewall has none.
  for (const id of changed)
    for (const family of [4, 6] as const)
      await succeeds(device.run, ["nft", "flush", "set", "inet", "weft", learnedSet(id, family)]);
};

/** Servers as they are now; true when they are others than the file has. */
const writeServers = (
  device: Device,
  paths: DnsPaths,
  part: Served,
  health: ServerHealth,
): boolean => {
  const leases = readLeases(device);
  const isUp = (name: string): boolean => health.isUp(name);
  const active = activeOf(device, part);
  health.watch(part.controls ? watchedOf(active, part.controls, leases, isUp) : new Map());
  const text = renderServers({
    ...part,
    leases,
    ...(part.controls && { controlled: controlledServers(active, part.controls, leases, isUp) }),
    own: nameserversOf(textOf("/etc/resolv.conf") ?? ""),
  });
  if (textOf(paths.servers) === text) return false;
  write(paths.servers, text);
  return true;
};

/** Leases of ranges that are no more would be listed, and keep the program from its start. */
const keepLeases = ({ leases }: DnsPaths, { ranges, reserved }: Served): void => {
  if (ranges.length === 0) {
    rmSync(dirname(leases), { recursive: true, force: true });
    return;
  }
  mkdirSync(dirname(leases), { recursive: true, mode: 0o755 });
  const stored = textOf(leases);
  if (stored !== null) write(leases, leasesOf(stored, ranges, reserved));
};

const end = async ({ daemons }: Device, { config, leases }: DnsPaths): Promise<void> => {
  await daemons.stop(daemon);
  for (const file of [config, leases]) rmSync(dirname(file), { recursive: true, force: true });
};

/** Throws with what the program printed when it does not run with this configuration. */
const serve = async (device: Device, paths: DnsPaths, part: Served, health: ServerHealth) => {
  const { daemons } = device;
  await daemons.stop(daemon);
  mkdirSync(dirname(paths.config), { recursive: true, mode: 0o755 });
  keepLeases(paths, part);
  rmSync(paths.pid, { force: true });
  write(paths.config, part.config);
  await writeSets(device, paths, part);
  writeServers(device, paths, part, health);
  // With -k it stays in the foreground; its process id is written when its sockets are open.
  daemons.start(daemon, ["dnsmasq", "-k", `--conf-file=${paths.config}`], part.config);
  const pid = daemons.record(daemon)?.pid;
  await waitUntil(
    "dnsmasq",
    () => {
      if (!daemons.isAlive(daemon)) throw new Error(daemons.lastOutput(daemon) || "dnsmasq ended");
      return textOf(paths.pid)?.trim() === `${pid}`;
    },
    startMs,
  );
};

/** Configuration that the running program was started with; null: none runs. */
const runningOf = ({ daemons }: Device): string | null =>
  daemons.isAlive(daemon) ? ((daemons.record(daemon)?.want as string) ?? null) : null;

/** Names and addresses for the LANs of a site: one dnsmasq, which outlives the edge. */
export const createResolver = (device: Device): Resolver => {
  const paths = dnsPaths(device);
  let wanted: DnsPart = null;
  let failed: { readonly config: string; readonly why: string } | null = null;
  let rounds = 0;
  const exhaustion = new Exhaustion();
  /** How far the log of the program was read. */
  let read = 0;
  const uses = (now: number): RangeUse[] =>
    wanted === null ? [] : useOf(textOf(paths.leases) ?? "", wanted.ranges, wanted.reserved, now);
  const noteRefusals = (): void => {
    const { text, place } = daemons.outputFrom(daemon, read);
    read = place;
    const now = Date.now();
    if (text !== "") exhaustion.note(text, uses(now), now);
  };
  const { daemons } = device;
  const health = new ServerHealth();
  const start = async (part: Served): Promise<void> => {
    try {
      await serve(device, paths, part, health);
      failed = null;
    } catch (error) {
      await daemons.stop(daemon, 0);
      failed = { config: part.config, why: reasonOf(error).replaceAll(/\s+/g, " ").slice(0, 200) };
      throw error;
    }
  };
  return {
    name: "dns",
    pick: (state) => pickDns(state, paths),
    validate: async () => {},
    observe: async (part) => {
      wanted = part;
      if (part === null) failed = null;
      return {
        running: runningOf(device),
        config: textOf(paths.config),
        isThere:
          daemons.names(daemon).includes(daemon) ||
          [paths.config, paths.leases].some((file) => existsSync(dirname(file))),
        failed: failed?.config ?? null,
      };
    },
    plan: planDns,
    run: async ({ kind }, part) => {
      wanted = part;
      if (kind === "end" || part === null) return end(device, paths);
      // Forwarding does not depend on it: what is wrong is a finding, and the watch tries again.
      await start(part).catch((error: unknown) =>
        device.log.error({ why: reasonOf(error) }, "the LANs have no resolver"),
      );
    },
    reports: {
      resolverFailure: () => (wanted === null ? null : (failed?.why ?? null)),
      exhaustedRanges: () => {
        const now = Date.now();
        return exhaustion.exhausted(uses(now), now);
      },
      hostLeases: () => parseLeases(textOf(paths.leases) ?? "", Date.now()),
    },
    tend: async () => {
      rounds += 1;
      if (wanted === null) return;
      if (failed?.config === wanted.config) return start(wanted);
      const record = daemons.record(daemon);
      // Another configuration belongs to a state that is being applied at the moment.
      if (record?.want !== wanted.config) return;
      if (!daemons.isAlive(daemon)) {
        await start(wanted);
        return device.repairs.add("dns", "dnsmasq");
      }
      if (rounds % serverRounds !== 0) return;
      noteRefusals();
      // A day of some control begins or ends.
      if (setsOf(device, wanted) !== (textOf(paths.sets) ?? "")) await start(wanted);
      else if (writeServers(device, paths, wanted, health)) process.kill(record.pid, "SIGHUP");
    },
  };
};
