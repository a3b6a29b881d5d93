/** WireGuard interfaces of links and of mobile clients: how one is made, set and taken away. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { waitUntil } from "./daemon.ts";
import type { Device } from "./device.ts";
import { succeeds } from "./exec.ts";
import { ensureNetns } from "./netns.ts";
import { parseReceived } from "./probe/listen.ts";

/** Interfaces end in the kernel's WireGuard where there is one, else in a process each. */
export type TunnelKind = "kernel" | "user";

/** An interface and the namespace that it ends in; null is the main one. */
export interface Placed {
  readonly interfaceName: string;
  readonly netns: string | null;
}

/** Where wireguard-go listens for wg(8); not namespaced, so one folder for all spaces of a device. */
const socketOf = (name: string): string => `/run/wireguard/${name}.sock`;
const daemonOf = (prefix: string, name: string): string => `${prefix}-${name}`;

/** Whether an interface exists; of the own namespace without a program. */
export const hasInterface = async (
  device: Device,
  name: string,
  netns: string | null,
): Promise<boolean> =>
  netns === null
    ? parseReceived(readFileSync("/proc/self/net/dev", "utf8")).has(name)
    : succeeds(device.run, ["ip", "link", "show", "dev", name], { netns });

/** @param prefix of the process's name: the driver that watches over it */
export const dropInterface = async (
  device: Device,
  prefix: string,
  name: string,
  netns: string | null,
): Promise<void> => {
  await device.daemons.stop(daemonOf(prefix, name));
  // The interface of a process ends with it; a kernel's one, and its namespace, may be gone too.
  if (await hasInterface(device, name, netns))
    await device.run(["ip", "link", "del", name], { netns });
  rmSync(socketOf(name), { force: true });
};

/** Makes the interface in the main namespace, where its socket stays, and moves it to its space. */
export const createInterface = async (
  device: Device,
  kind: TunnelKind,
  prefix: string,
  { interfaceName: name, netns }: Placed,
): Promise<void> => {
  if (kind === "kernel") {
    await device.run(["ip", "link", "add", name, "type", "wireguard"]);
  } else {
    const daemon = daemonOf(prefix, name);
    device.daemons.start(daemon, ["wireguard-go", "-f", name], name);
    const ready = () => {
      if (!device.daemons.isAlive(daemon))
        throw new Error(`wireguard-go ended: ${device.daemons.lastOutput(daemon)}`);
      return existsSync(socketOf(name));
    };
    await waitUntil(`wireguard-go of ${name} answers`, ready, 5_000);
  }
  if (netns === null) return;
  if (!existsSync(join("/run/netns", netns))) await ensureNetns(device.run, netns);
  await device.run(["ip", "link", "set", name, "netns", netns]);
};

/** Gives the interface its configuration; sessions of peers that stay go on. */
export const syncInterface = async (
  device: Device,
  kind: TunnelKind,
  { interfaceName: name, netns }: Placed,
  text: string,
): Promise<void> => {
  const file = join(device.runDir, `${name}.conf`);
  // A file, as wg(8) cannot read its configuration from the socket that a child's input is.
  await writeFile(file, text, { mode: 0o600 });
  try {
    await device.run(["wg", "syncconf", name, file], { netns: kind === "kernel" ? netns : null });
  } finally {
    await rm(file, { force: true });
  }
};
