/** FRR's daemons, started in a folder of our own, never by the system's service (dataplane section 3). */
import { existsSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { waitUntil } from "#drivers/daemon.ts";
import type { Device } from "#drivers/device.ts";
import type { Argv } from "#drivers/exec.ts";

/** Order of start: all others talk to zebra. */
const always = ["zebra", "staticd", "bfdd", "bgpd"] as const;
/** Where a state asks for it. */
const ospf = "ospfd";
const names = [...always, ospf] as const;
export type FrrDaemon = (typeof names)[number];

/** What has to run of FRR. */
export interface FrrMode {
  /** zebra serves namespaces as VRFs. */
  readonly spaces: boolean;
  readonly ospf: boolean;
}

/** Debian's and Red Hat's place for them. */
const folders = ["/usr/lib/frr", "/usr/libexec/frr"];
/** Seconds for which a restarted zebra leaves the routes of the dead one alone. */
const keepRoutes = "60";

const recordOf = (name: FrrDaemon): string => `frr-${name}`;

export const frrDir = (device: Device): string => `${device.runDir}-frr`;

/** Folder of FRR's programs; null when it is not installed. */
export const frrPrograms = (): string | null =>
  folders.find((dir) => always.every((name) => existsSync(join(dir, name)))) ?? null;

/** Those that were started, and those that always are. */
const startedOf = (device: Device): FrrDaemon[] =>
  names.filter((name) => name !== ospf || device.daemons.record(recordOf(name)) !== null);

export const deadDaemons = (device: Device): FrrDaemon[] =>
  startedOf(device).filter((name) => !device.daemons.isAlive(recordOf(name)));

export const wasStarted = (device: Device): boolean => device.daemons.names("frr-").length > 0;

/** True when the zebra of the record serves namespaces as VRFs. */
const servesSpaces = (device: Device): boolean =>
  (device.daemons.record(recordOf("zebra"))?.want as { spaces?: boolean } | undefined)?.spaces ===
  true;

/** How FRR was last started; null: it was not. */
export const modeOf = (device: Device): FrrMode | null =>
  device.daemons.record(recordOf("zebra")) === null
    ? null
    : {
        spaces: servesSpaces(device),
        ospf: device.daemons.record(recordOf(ospf)) !== null,
      };

const argvOf = (dir: string, programs: string, name: FrrDaemon, spaces: boolean): Argv => [
  join(programs, name),
  "-u",
  "frr",
  "-g",
  "frr",
  "-z",
  join(dir, "zserv.api"),
  "-i",
  join(dir, `${name}.pid`),
  "--vty_socket",
  dir,
  "-f",
  join(dir, `${name}.conf`),
  // No TCP port for its terminal.
  "-P",
  "0",
  "--log",
  "stdout",
  ...(name === "zebra" ? ["-K", keepRoutes, ...(spaces ? ["-n"] : [])] : []),
];

/**
 * bgpd asks bfdd for its sessions, by way of zebra, once: with either of them new it would go on
 * without BFD, and show nothing (seen with 8.4). It is ended without notice to its neighbours, so
 * that they keep its routes for as long as a graceful restart takes (RFC 4724). ospfd would give a new
 * zebra its routes before the filter for them is there.
 */
const endThoseThatForget = async (device: Device): Promise<void> => {
  const died = (name: FrrDaemon) =>
    device.daemons.record(recordOf(name)) !== null && !device.daemons.isAlive(recordOf(name));
  if (!died("zebra") && !died("bfdd")) return;
  for (const name of ["bgpd", "bfdd", ospf] as const) await device.daemons.stop(recordOf(name), 0);
};

/** Starts what does not run. The configuration is empty then, and has to be loaded. */
export const startFrr = async (
  device: Device,
  { spaces, ospf: isOspf }: FrrMode,
): Promise<void> => {
  const programs = frrPrograms();
  if (programs === null) throw new Error("FRR is not installed");
  const mode = modeOf(device);
  if (mode !== null && mode.spaces !== spaces) await stopFrr(device);
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
  const [first, ...others] = isOspf ? names : always;
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

/** No state asks for it any more. */
export const stopOspf = (device: Device): Promise<void> =>
  device.daemons.stop(recordOf(ospf), 3_000);

/** Ends all of it; zebra takes its routes along. */
export const stopFrr = async (device: Device): Promise<void> => {
  for (const name of names.toReversed()) await device.daemons.stop(recordOf(name), 3_000);
};

/** Answers of several commands in one call, because a call costs more than a command. */
export const vtysh = (device: Device, commands: readonly string[]): Promise<string> =>
  device.run([
    "vtysh",
    "--vty_socket",
    frrDir(device),
    ...commands.flatMap((command) => ["-c", command]),
  ]);
