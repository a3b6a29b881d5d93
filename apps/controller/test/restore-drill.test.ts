/**
 * The drill: a controller is lost with all its data while devices are ahead of its backup, and
 * another one takes over from the backup. The released programs, in separate processes.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { login } from "@weft/contract/domains/access/session.ts";
import { nodeState } from "@weft/contract/domains/delivery/node-state.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { claimAdd } from "@weft/contract/domains/devices/enrolment.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { type Caller, callerOf } from "@weft/contract/kernel/client.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readPidFile } from "#db/embedded/pid-file.ts";
import { lastBackup } from "#telemetry/last-backup.ts";
import { inherited } from "./controller-process.ts";
import { eventually } from "./loop-world.ts";

const program = (path: string): string => join(import.meta.dirname, "..", path);
const controller = program("src/main.ts");
const backup = program("src/commands/backup.ts");
const edges = program("../edge/src/main.ts");
const password = "s3cret-Drill";
const patience = 60_000;

let folder: string;
let edgePort: number;
const running = new Set<ChildProcess>();

/**
 * A port that is free, and that no connection takes while no controller listens on it: below those that the
 * kernel assigns by itself.
 */
const freePort = async (): Promise<number> => {
  for (;;) {
    const server = createServer();
    const port = randomInt(20_000, 32_000);
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false)).listen(port, () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "weft-drill-"));
  edgePort = await freePort();
});
afterAll(async () => {
  for (const child of running) {
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    await gone;
  }
  await rm(folder, { recursive: true, force: true });
});

const environment = (data: string) => ({
  ...inherited,
  WEFT_DATA: join(folder, data),
  WEFT_PORT: "0",
  WEFT_EDGE_PORT: String(edgePort),
  WEFT_EDGE_ADDRESSES: `wss://127.0.0.1:${edgePort}`,
  WEFT_ADMIN_PASSWORD: password,
  WEFT_LOG_LEVEL: "warn",
  WEFT_BACKUP_PASSPHRASE: "drill-passphrase",
});

async function start(args: readonly string[], env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/** Starts a controller and returns a client that is logged in. */
async function startController(data: string) {
  const child = await start([controller], environment(data));
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const url = await eventually(
    async () => /^Weft: (\S+)\n/m.exec(output)?.[1],
    `a start: ${output}`,
    patience,
  );
  let token: string | null = null;
  const call = callerOf(url, () => token);
  const { data: session } = await call(login, { loginName: "admin", password, sms: null });
  token = session.token;
  return { child, call, url, token };
}

const command = (verb: "backup" | "restore", data: string) =>
  promisify(execFile)(process.execPath, [backup, verb, join(folder, "weft.backup")], {
    env: environment(data),
  });

/** Ends a process immediately and waits until it is gone. */
async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

/** The machine is lost: controller, database and disk. */
async function lose(child: ChildProcess, data: string): Promise<void> {
  await kill(child);
  const cluster = join(folder, data, "postgres", "data");
  const pid = (await readPidFile(cluster))?.pid;
  if (pid) process.kill(pid, "SIGKILL");
  await eventually(async () => pid === undefined || !isAlive(pid), "PostgreSQL is gone", patience);
  await rm(join(folder, data), { recursive: true });
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const unsaid = { groupid: 1, cpeId: 1, popId: 1 };
const serials = { cpe: "DRILL-CPE", pop: "DRILL-POP" } as const;

/** A POP and a site in one space, with their devices. */
async function makeNetwork(call: Caller) {
  const site = { ...samples.cpe.valid(unsaid), groupid: 1, sn: serials.cpe, alias: "site" };
  const hub = { ...samples.pop.valid(unsaid), groupid: 1, sn: serials.pop, name: "hub" };
  const cpeId = (await call(cpe.ops.add, site)).data.id;
  const popId = (await call(pop.ops.add, hub)).data.id;
  for (const [nodeId, host] of [
    [cpeId, 101],
    [popId, 10],
  ] as const) {
    await call(line.ops.add, {
      ...samples.line.valid(unsaid),
      nodeId,
      slot: 1,
      name: "one",
      interfaceName: "wan1",
      reachable: nodeId === popId,
      ip: `198.51.100.${host}/24`,
      gateway: "198.51.100.1",
    });
  }
  await addLan(call, cpeId, 1);
  await call(netSpace.ops.add, {
    name: "drill",
    groupid: 1,
    topology: 0,
    remark: "",
    popIds: [popId],
    cpeIds: [cpeId],
  });
  const devices = [];
  for (const [id, serialNumber] of [
    [cpeId, serials.cpe],
    [popId, serials.pop],
  ] as const) {
    const { data } = await call(claimAdd, { nodeId: id, preApproved: true, sn: null });
    devices.push({ claim: data.claim, serialNumber });
  }
  return { cpeId, popId, devices };
}

const addLan = (call: Caller, nCpeID: number, number: number) =>
  call(lanSection.ops.add, {
    ...samples.lansection.valid(unsaid),
    nCpeID,
    interfaceName: `lan${number}`,
    network: `10.77.${number}.1/24`,
    network6: null,
  });

/**
 * The running state that a device stores on its disk, once it is the one that the controller has confirmed: the
 * edge writes it after it has read the response, which the controller can only see leave.
 */
const confirmedOf = (sn: string, { epoch, serial }: Pick<Head, "epoch" | "serial">) =>
  eventually(
    async () => {
      const path = join(folder, "edges", `box-${sn}`, "confirmed.json");
      const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return null;
        throw error;
      });
      if (text === null) return false;
      const { head } = (JSON.parse(text) as { value: { head: Head } }).value;
      return head.epoch === epoch && head.serial === serial && head;
    },
    `${sn} has stored state ${epoch}.${serial}`,
    patience,
  );
interface Head {
  readonly epoch: number;
  readonly serial: number;
  readonly sections: Readonly<Record<string, string>>;
}

/** Waits until a node runs its desired state, compiled and confirmed, after this serial. */
const settled = (call: Caller, id: number, epoch?: number, behind = 0) =>
  eventually(
    async () => {
      const { data } = await call(nodeState, { id });
      const { desired, compiling, runningSerial, online } = data;
      const isDone = online && !compiling && desired?.outcome === "confirmed";
      if (!isDone || runningSerial !== desired.serial || desired.serial <= behind) return false;
      return (!epoch || desired.epoch === epoch) && desired;
    },
    `node ${id} runs what is wanted`,
    patience,
  );

test("devices ahead of the backup follow the restored controller into its epoch", async () => {
  await mkdir(join(folder, "edges"));
  const first = await startController("lost");
  const { cpeId, popId, devices } = await makeNetwork(first.call);
  const fleet = join(folder, "fleet.json");
  await writeFile(fleet, JSON.stringify(devices));
  const data = join(folder, "edges");
  await start([edges, "simulate", "--fleet", fleet, "--data", data], inherited);
  // Links are created when both devices have reported their keys.
  const linked = (sn: string, id: number) =>
    eventually(
      async () => {
        const head = await confirmedOf(sn, await settled(first.call, id));
        return Object.keys(head.sections).some((name) => name.startsWith("tunnel."));
      },
      `links of ${sn}`,
      patience,
    );
  await linked(serials.cpe, cpeId);
  await linked(serials.pop, popId);
  const atBackup = {
    cpe: await confirmedOf(serials.cpe, await settled(first.call, cpeId)),
    pop: await confirmedOf(serials.pop, await settled(first.call, popId)),
  };

  const result = await command("backup", "lost");
  // What the metrics of the controller show.
  expect(Date.now() - ((await lastBackup(join(folder, "lost"))) ?? 0)).toBeLessThan(3_600_000);
  expect(result.stdout).toMatch(/^Backup of .*: \d+ rows of \d+ tables/);

  // Two more writes, delivered and confirmed, that are not in the backup.
  await addLan(first.call, cpeId, 2);
  const one = await settled(first.call, cpeId, 0, atBackup.cpe.serial);
  await addLan(first.call, cpeId, 3);
  const last = await settled(first.call, cpeId, 0, one.serial);
  const ahead = await confirmedOf(serials.cpe, last);
  expect(ahead.serial).toBeGreaterThan(atBackup.cpe.serial);
  expect(ahead.sections).not.toEqual(atBackup.cpe.sections);

  await lose(first.child, "lost");
  const restored = await command("restore", "restored");
  const epoch = Number(/epoch (\d+) has started/.exec(restored.stdout)?.[1]);
  expect(epoch).toBeGreaterThan(ahead.epoch);

  const second = await startController("restored");
  const back = await settled(second.call, cpeId, epoch);
  for (const [sn, desired, before] of [
    [serials.cpe, back, atBackup.cpe],
    [serials.pop, await settled(second.call, popId, epoch), atBackup.pop],
  ] as const) {
    expect((await confirmedOf(sn, desired)).sections).toEqual(before.sections);
  }
  // Earlier sessions have ended.
  const old = callerOf(second.url, () => first.token);
  await expect(old(nodeState, { id: cpeId })).rejects.toThrow("token");
  // The delivery loop continues.
  await addLan(second.call, cpeId, 4);
  const next = await settled(second.call, cpeId, epoch, back.serial);
  expect((await confirmedOf(serials.cpe, next)).sections).not.toEqual(atBackup.cpe.sections);
}, 240_000);
