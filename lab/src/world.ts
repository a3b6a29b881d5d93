import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { login } from "@weft/contract/domains/access/session.ts";
import { type Caller, callerOf } from "@weft/contract/kernel/client.ts";
import { type Forward, forward } from "./forward.ts";
import type { Lab } from "./lab.ts";
import { type LabProcess, logged, spawn } from "./spawn.ts";
import type { LabSpec } from "./spec.ts";
import { down, up } from "./up.ts";

/** The root of the project. */
export const root = resolve(import.meta.dirname, "../..");

const consolePort = 8080;
const edgePort = 8443;
/** Where the edges find the controller in the lab. */
const edgeAddress = `wss://100.64.0.2:${edgePort}`;

/** A lab with a controller in its place and an operator at the console. */
export interface World {
  readonly lab: Lab;
  readonly folder: string;
  /** The console, as a browser on this machine reaches it. */
  readonly url: string;
  readonly password: string;
  /** Calls the API as `admin`. */
  readonly call: Caller;
  readonly controller: {
    process(): LabProcess;
    /** Ends it immediately (SIGKILL) or in order (SIGTERM). */
    stop(signal: "SIGKILL" | "SIGTERM"): Promise<void>;
    start(): Promise<void>;
  };
  readonly edges: Map<string, LabProcess>;
  /** Starts the edge program in a device; what an earlier one left is adopted. */
  startEdge(device: string): Promise<LabProcess>;
  close(): Promise<void>;
}

/**
 * Repeats a read until it gives something; throws with what it saw last after `timeout` ms, which only ends what hangs:
 * a busy machine must not decide whether a test passes.
 */
export async function eventually<T>(
  read: () => Promise<T | null | undefined | false>,
  what: string,
  timeout = 60_000,
): Promise<T> {
  const end = performance.now() + timeout;
  let last: unknown;
  for (;;) {
    try {
      const found = await read();
      if (found) return found;
      last = found;
    } catch (error) {
      last = error;
    }
    if (performance.now() > end)
      throw new Error(`not within ${timeout} ms: ${what}`, { cause: last });
    await sleep(100);
  }
}

async function startController(lab: Lab, folder: string, password: string): Promise<LabProcess> {
  const argv = [process.execPath, join(root, "apps/controller/src/main.ts")];
  const controller = await spawn(lab, "ctl", argv, {
    reach: "network",
    cwd: root,
    log: join(folder, `controller-${Date.now()}.log`),
    env: {
      WEFT_DATA: join(folder, "controller"),
      WEFT_PORT: String(consolePort),
      WEFT_EDGE_PORT: String(edgePort),
      WEFT_EDGE_ADDRESSES: edgeAddress,
      WEFT_ADMIN_PASSWORD: password,
      WEFT_CONSOLE: join(root, "build/console"),
    },
  });
  await logged(controller, /Weft: http/, 300_000);
  return controller;
}

/** Logs `admin` in; the caller's token follows the sessions of a controller that comes back. */
async function adminOf(url: string, password: string): Promise<Caller> {
  let token: string | null = null;
  const call = callerOf(url, () => token);
  token = (await call(login, { loginName: "admin", password, sms: null })).data.token;
  return call;
}

/** Folder of the machines of a world, inside the world's own. */
export const machinesFolder = (folder: string): string => join(folder, "machines");

export interface WorldOptions {
  /** Where all of it lies, and outlives this process; a new temporary folder by default. */
  readonly folder?: string;
  /** Port of the console on 127.0.0.1; a free one by default. */
  readonly port?: number;
}

/** Builds a lab of this shape, starts a controller in it and logs `admin` in. */
export async function startWorld(spec: LabSpec, options: WorldOptions = {}): Promise<World> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), "weft-world-"));
  const password = `lab-${randomBytes(4).toString("hex")}`;
  const lab = await up(spec, machinesFolder(folder), options.folder !== undefined);
  const edges = new Map<string, LabProcess>();
  let controller = await startController(lab, folder, password);
  const rootPort = options.port ?? 0;
  const relay: Forward = await forward(lab, { rootPort, ctlPort: consolePort });
  return {
    lab,
    folder,
    password,
    edges,
    url: relay.url,
    call: await adminOf(relay.url, password),
    controller: {
      process: () => controller,
      async stop(signal) {
        controller.kill(signal);
        await controller.exited;
      },
      async start() {
        controller = await startController(lab, folder, password);
      },
    },
    async startEdge(device) {
      const edge = await startEdge(lab, device);
      edges.set(device, edge);
      return edge;
    },
    async close() {
      await relay.stop();
      await controller.stop(10_000);
      await down(lab);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Folder of a device's edge, at the same place inside and outside of the machine. */
export const edgeFolder = (lab: Lab, device: string): string => join(lab.dir, device, "edge");

/** The edge program as a command in a device. */
export const edgeCommand = (lab: Lab, device: string, ...args: string[]): string[] => [
  process.execPath,
  join(root, "apps/edge/src/main.ts"),
  ...args,
  "--data",
  edgeFolder(lab, device),
];

async function startEdge(lab: Lab, device: string): Promise<LabProcess> {
  mkdirSync(edgeFolder(lab, device), { recursive: true });
  const log = join(lab.dir, device, "edge.log");
  return spawn(lab, device, edgeCommand(lab, device, "run"), { log, cwd: root });
}
