/** FRR's daemons, started in a folder of our own, never by the system's service (dataplane section 3). */
import { existsSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { waitUntil } from "#drivers/daemon.ts";
import type { Device } from "#drivers/device.ts";
import type { Argv } from "#drivers/exec.ts";

/** Order of start: all others talk to zebra. */
const names = ["zebra", "staticd", "bfdd", "bgpd"] as const;
export type FrrDaemon = (typeof names)[number];

/** Debian's and Red Hat's place for them. */
const folders = ["/usr/lib/frr", "/usr/libexec/frr"];
/** Seconds for which a restarted zebra leaves the routes of the dead one alone. */
const keepRoutes = "60";

const recordOf = (name: FrrDaemon): string => `frr-${name}`;

export const frrDir = (device: Device): string => `${device.runDir}-frr`;

/** Folder of FRR's programs; null when it is not installed. */
export const frrPrograms = (): string | null =>
  folders.find((dir) => names.every((name) => existsSync(join(dir, name)))) ?? null;

export const aliveDaemons = (device: Device): FrrDaemon[] =>
  names.filter((name) => device.daemons.isAlive(recordOf(name)));

export const deadDaemons = (device: Device): FrrDaemon[] =>
  names.filter((name) => !device.daemons.isAlive(recordOf(name)));

export const wasStarted = (device: Device): boolean => device.daemons.names("frr-").length > 0;

/** True when the zebra of the record serves namespaces as VRFs. */
const servesSpaces = (device: Device): boolean =>
  (device.daemons.record(recordOf("zebra"))?.want as { spaces?: boolean } | undefined)?.spaces ===
  true;

/** How zebra was last started; null: it was not. */
export const modeOf = (device: Device): boolean | null =>
  device.daemons.record(recordOf("zebra")) === null ? null : servesSpaces(device);

const argvOf = (dir: string, programs: string, name: FrrDaemon, spaces: boolean): Argv => [
  join(programs, name),
  ...["-u", "frr", "-g", "frr"],
  ...["-z", join(dir, "zserv.api")],
  ...["-i", join(dir, `${name}.pid`)],
  ...["--vty_socket", dir],
  ...["-f", join(dir, `${name}.conf`)],
  // No TCP port for its terminal.
  ...["-P", "0"],
  ...["--log", "stdout"],
  ...(name === "zebra" ? ["-K", keepRoutes, ...(spaces ? ["-n"] : [])] : []),
];

/**
 * bgpd asks bfdd for its sessions, by way of zebra, once: with either of them new it would go on
 * without BFD, and show nothing (seen with 8.4). It is ended without notice to its neighbours, so
 * that they keep its routes for as long as a graceful restart takes (RFC 4724).
 */
const endThoseThatForget = async (device: Device): Promise<void> => {
  const died = (name: FrrDaemon) =>
    device.daemons.record(recordOf(name)) !== null && !device.daemons.isAlive(recordOf(name));
  if (!died("zebra") && !died("bfdd")) return;
  for (const name of ["bgpd", "bfdd"] as const) await device.daemons.stop(recordOf(name), 0);
};

/** Starts what does not run. The configuration is empty then, and has to be loaded. */
export const startFrr = async (device: Device, spaces: boolean): Promise<void> => {
  const programs = frrPrograms();
  if (programs === null) throw new Error("FRR is not installed");
  const mode = modeOf(device);
  if (mode !== null && mode !== spaces) await stopFrr(device);
  await endThoseThatForget(device);
  const dir = frrDir(device);
  const files = [...names.map((name) => `${name}.conf`), "vtysh.conf"];
  // Empty: a daemon that meets another's lines in its own file loads none of its own.
  const script = `set -e; own="-o frr -g frr"; install -d -m 755 $own "$1"; cd "$1"; shift
for file; do install -m 640 $own /dev/null "$file"; done`;
  await device.run(["sh", "-c", script, "sh", dir, ...files]);
  const start = async (name: FrrDaemon): Promise<void> => {
    if (device.daemons.isAlive(recordOf(name))) return;
    const terminal = join(dir, `${name}.vty`);
    // One that was killed leaves it behind.
    rmSync(terminal, { force: true });
    device.daemons.start(recordOf(name), argvOf(dir, programs, name, spaces), { spaces });
    const ready = async () => {
      if (!device.daemons.isAlive(recordOf(name)))
        throw new Error(`${name} ended: ${device.daemons.lastOutput(recordOf(name))}`);
      return isServed(terminal);
    };
    await waitUntil(`${name} answers`, ready, 5_000);
  };
  const [first, ...others] = names;
  // One that does not find zebra looks for it again only after 10 s.
  await start(first);
  await Promise.all(others.map(start));
};

/**
 * Whether a program listens at a socket: FRR's daemons open their terminal's when they have started.
 * vtysh would report the same, for the price of a process each time.
 */
const isServed = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path);
    const end = (served: boolean) => {
      socket.destroy();
      resolve(served);
    };
    socket.once("connect", () => end(true)).once("error", () => end(false));
  });

/** Ends all of it; zebra takes its routes along. */
export const stopFrr = async (device: Device): Promise<void> => {
  for (const name of names.toReversed()) await device.daemons.stop(recordOf(name), 3_000);
};

/** Answers of several commands in one call, because a call costs more than a command. */
export const vtysh = (device: Device, commands: readonly string[]): Promise<string> =>
  device.run(["vtysh", "--vty_socket", frrDir(device), ...commands.flatMap((one) => ["-c", one])]);
