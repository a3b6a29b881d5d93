import { execFile } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";
import { promisify } from "node:util";

export interface PortUser {
  readonly pid: number;
  /** Its command line, cut. */
  readonly command: string;
}

const commandLength = 120;

/** State LISTEN in /proc/net/tcp. */
const listening = "0A";

/**
 * The process that listens on a TCP port; undefined where the system does not show it, as of other
 * users' processes.
 */
export async function listenerOn(port: number): Promise<PortUser | undefined> {
  return process.platform === "linux" ? fromProc(port) : fromLsof(port);
}

async function fromProc(port: number): Promise<PortUser | undefined> {
  const sockets = await socketsOn(port);
  if (sockets.size === 0) return undefined;
  const names = await readdir("/proc").catch(() => []);
  for (const name of names.filter((name) => /^\d+$/.test(name))) {
    const fds = await readdir(`/proc/${name}/fd`).catch(() => []);
    for (const fd of fds) {
      const target = await readlink(`/proc/${name}/fd/${fd}`).catch(() => "");
      if (!sockets.has(target)) continue;
      const command = await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "");
      return describe(Number(name), command.replaceAll("\0", " "));
    }
  }
  return undefined;
}

/** Links of the listening sockets: `socket:[inode]`. */
async function socketsOn(port: number): Promise<Set<string>> {
  const end = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const sockets = new Set<string>();
  for (const file of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    const text = await readFile(file, "utf8").catch(() => "");
    for (const line of text.split("\n").slice(1)) {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
      if (local?.endsWith(end) && state === listening) sockets.add(`socket:[${inode}]`);
    }
  }
  return sockets;
}

async function fromLsof(port: number): Promise<PortUser | undefined> {
  const args = ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"];
  const text = await promisify(execFile)("lsof", args).then(
    ({ stdout }) => stdout,
    () => "",
  );
  const pid = Number(/^p(\d+)$/m.exec(text)?.[1]);
  return pid > 0 ? describe(pid, /^c(.*)$/m.exec(text)?.[1] ?? "") : undefined;
}

const describe = (pid: number, command: string): PortUser => ({
  pid,
  command: command.trim().slice(0, commandLength) || "unknown",
});
