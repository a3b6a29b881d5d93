import { existsSync, mkdirSync, rmSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { dirname, join } from "node:path";
import type { StandbyPlace } from "@weft/contract/device/v1/standby.ts";
import { waitUntil } from "#drivers/daemon.ts";
import type { Device } from "#drivers/device.ts";
import type { Driver, Machine, StandbyState } from "#drivers/driver.ts";
import { succeeds } from "#drivers/exec.ts";
import { replaceFile, textOf } from "#drivers/replace-file.ts";
import { reasonOf } from "#edge/log.ts";
import { daemon, type StandbyRecord } from "./held.ts";
import {
  pickStandby,
  planStandby,
  type StandbyFound,
  type StandbyPart,
  type StandbyStep,
} from "./plan.ts";
import type { StandbyPaths } from "./render.ts";
import { isWhole, placeOf, presentOf, Worth } from "./watch.ts";

export interface Standby extends Driver<StandbyPart, StandbyFound, StandbyStep> {
  /** Starts again what died, and follows what the device is worth. */
  tend(): Promise<void>;
  readonly reports: Pick<Machine, "standby" | "standbyFailure">;
  /** True: another device has the gateways of the site; null: there is none, or it is not known yet. */
  standsBy(): boolean | null;
}

/** Whether links answer, by id; those that are not known yet are left out. */
type Verdicts = () => ReadonlyMap<number, boolean>;

/** It reads its configuration and opens its sockets within milliseconds. */
const startMs = 5_000;

const pathsOf = ({ runDir }: Pick<Device, "runDir">): StandbyPaths => ({
  config: join(runDir, "standby/keepalived.conf"),
  failed: join(runDir, "standby/failed"),
  pid: join(runDir, "standby/keepalived.pid"),
  childPid: join(runDir, "standby/vrrp.pid"),
});

const write = (file: string, text: string): void => replaceFile(file, text, 0o600);

const recordOf = ({ daemons }: Device): StandbyRecord | null =>
  (daemons.record(daemon)?.want as StandbyRecord | undefined) ?? null;

/** What a program that was killed has left on the interfaces: another device may have the gateways by now. */
const release = async ({ run }: Device, held: StandbyRecord["held"]): Promise<void> => {
  // It fails where there is none.
  for (const { interfaceName, address } of held)
    await succeeds(run, ["ip", "addr", "del", address, "dev", interfaceName]);
};

const end = async (device: Device, { config }: StandbyPaths): Promise<void> => {
  const held = recordOf(device)?.held ?? [];
  await device.daemons.stop(daemon);
  await release(device, held);
  rmSync(dirname(config), { recursive: true, force: true });
};

type Served = NonNullable<StandbyPart>;

/** Throws with what the program printed when it does not run with this configuration. */
const serve = async (device: Device, paths: StandbyPaths, part: Served): Promise<void> => {
  const { daemons } = device;
  const before = recordOf(device)?.held ?? [];
  await daemons.stop(daemon);
  await release(device, [...before, ...part.held]);
  mkdirSync(dirname(paths.config), { recursive: true, mode: 0o700 });
  if (textOf(paths.failed) === null) write(paths.failed, "1\n");
  for (const file of [paths.pid, paths.childPid]) rmSync(file, { force: true });
  write(paths.config, part.config);
  const record: StandbyRecord = { config: part.config, held: part.held };
  daemons.start(
    daemon,
    [
      ...(["keepalived", "--dont-fork", "--log-console", "--vrrp"] as const),
      "--use-file",
      paths.config,
      "--pid",
      paths.pid,
      "--vrrp_pid",
      paths.childPid,
    ],
    record,
  );
  await waitUntil(
    "keepalived",
    () => {
      if (!daemons.isAlive(daemon))
        throw new Error(daemons.lastOutput(daemon) || "keepalived ended");
      return existsSync(paths.childPid);
    },
    startMs,
  );
};

/** What the device is in its group, since when: kept over runs of the edge. */
const createPlace = (device: Device, paths: StandbyPaths) => {
  const file = join(dirname(paths.config), "place.json");
  let known: StandbyState | null = null;
  return {
    get: (): StandbyState | null => known,
    forget: (): void => {
      known = null;
    },
    see: (place: StandbyPlace): void => {
      known ??= JSON.parse(textOf(file) ?? "null") as StandbyState | null;
      if (known?.place === place) return;
      known = { place, since: device.now() };
      device.log.info({ place }, "hot standby");
      write(file, JSON.stringify(known));
    },
  };
};

type Start = (part: Served) => Promise<void>;

/** The program, and why it does not run with a configuration. */
const createProgram = (device: Device, paths: StandbyPaths) => {
  const { daemons } = device;
  let failed: { readonly config: string; readonly why: string } | null = null;
  const start: Start = async (part) => {
    try {
      await serve(device, paths, part);
      failed = null;
    } catch (error) {
      await daemons.stop(daemon, 0);
      await release(device, part.held);
      failed = { config: part.config, why: reasonOf(error).replaceAll(/\s+/g, " ").slice(0, 200) };
      throw error;
    }
  };
  return {
    start,
    failed: () => failed,
    forget: (): void => {
      failed = null;
    },
    /** True: it runs with what is wanted, or does again. */
    tend: async (part: Served): Promise<boolean> => {
      if (failed?.config === part.config) await start(part);
      // Another configuration belongs to a state that is being applied at the moment.
      if (recordOf(device)?.config !== part.config) return false;
      if (daemons.isAlive(daemon)) return true;
      await start(part);
      device.repairs.add("standby", "keepalived");
      return true;
    },
  };
};

/** Follows what the device is worth, and what it is by its addresses. */
const createFollower = (device: Device, paths: StandbyPaths, verdicts: Verdicts) => {
  const place = createPlace(device, paths);
  let worth: Worth | null = null;
  return {
    state: place.get,
    forget: (): void => {
      place.forget();
      worth = null;
    },
    follow: (part: Served): void => {
      const present = presentOf(networkInterfaces());
      const before = textOf(paths.failed);
      if (before === null) return;
      worth ??= new Worth(before.trim() !== "0");
      const hasFailed = worth.hasFailed(isWhole(part, present, verdicts()), performance.now());
      const now = hasFailed ? "1\n" : "0\n";
      if (before !== now) write(paths.failed, now);
      place.see(placeOf(part, present, !hasFailed && device.daemons.isAlive(daemon)));
    },
  };
};

/** Gateways of the LANs, by VRRP with the other device of the site: one keepalived, which outlives the edge. */
export const createStandby = (device: Device, verdicts: Verdicts): Standby => {
  const paths = pathsOf(device);
  const { daemons } = device;
  const program = createProgram(device, paths);
  const follower = createFollower(device, paths, verdicts);
  let wanted: StandbyPart = null;
  const state = () => (wanted === null ? null : follower.state());
  return {
    name: "standby",
    pick: (desired) => pickStandby(desired, paths),
    validate: async () => {},
    observe: async (part) => {
      wanted = part;
      if (part === null) program.forget();
      return {
        running: daemons.isAlive(daemon) ? (recordOf(device)?.config ?? null) : null,
        config: textOf(paths.config),
        isThere: daemons.names(daemon).includes(daemon) || existsSync(dirname(paths.config)),
        failed: program.failed()?.config ?? null,
      };
    },
    plan: planStandby,
    run: async ({ kind }, part) => {
      wanted = part;
      if (kind === "end" || part === null) {
        follower.forget();
        return end(device, paths);
      }
      // The other device has the gateways meanwhile: what is wrong is a finding, and the watch tries again.
      await program
        .start(part)
        .catch((error: unknown) => device.log.error({ why: reasonOf(error) }, "VRRP does not run"));
    },
    reports: {
      standby: state,
      standbyFailure: () => (wanted === null ? null : (program.failed()?.why ?? null)),
    },
    standsBy: () => {
      const now = state();
      return now && now.place !== "active";
    },
    tend: async () => {
      if (wanted !== null && (await program.tend(wanted))) follower.follow(wanted);
    },
  };
};
