/**
 * The controller's key is changed under its devices: two gateways, real edges and the operator's command, all as
 * processes of their own.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createPrivateKey, randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { login } from "@weft/contract/domains/access/session.ts";
import { nodeState } from "@weft/contract/domains/delivery/node-state.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { claimAdd } from "@weft/contract/domains/devices/enrolment.ts";
import { type Caller, callerOf } from "@weft/contract/kernel/client.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeBackup } from "#backup/write-backup.ts";
import { bareDatabase } from "#db/testing.ts";
import { selfSigned } from "#gateway/certificate.ts";
import { type ControllerProcess, inherited, startController } from "./controller-process.ts";
import { eventually } from "./loop-world.ts";

const password = "s3cret-Key";
const secretKey = randomBytes(32).toString("base64");
const patience = 60_000;
const program = (path: string): string => join(import.meta.dirname, "..", path);

let database: Awaited<ReturnType<typeof bareDatabase>>;
let top: string;
let controllers: ControllerProcess[];
let children: ChildProcess[];
beforeEach(async () => {
  database = await bareDatabase();
  top = await mkdtemp(join(tmpdir(), "weft-key-change-"));
  controllers = [];
  children = [];
}, 60_000);
afterEach(async () => {
  for (const one of children) await end(one, "SIGKILL");
  for (const controller of controllers)
    if (controller.child.exitCode === null) await controller.end("SIGTERM");
  await database.drop();
  await rm(top, { recursive: true });
}, 60_000);

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill(signal);
  await gone;
}

const inFolder = (...path: string[]) => readFile(join(top, ...path), "utf8");

/** A process of the controller with a folder, and after its first start a port, of its own. */
async function start(name: string, roles: string): Promise<ControllerProcess> {
  const folder = join(top, name);
  await mkdir(folder, { recursive: true });
  const port = await inFolder(name, "edge-port").catch(() => "0");
  const one = await startController({
    databaseUrl: database.url,
    folder,
    env: {
      WEFT_ROLES: roles,
      WEFT_EDGE_PORT: port.trim(),
      WEFT_SECRET_KEY: secretKey,
      WEFT_EDGE_ADDRESSES: `wss://127.0.0.1:${port.trim()}`,
      WEFT_LOG_LEVEL: "warn",
      WEFT_ADMIN_PASSWORD: password,
    },
  });
  expect(one.url, one.output()).not.toBe("");
  controllers.push(one);
  return one;
}

interface Run {
  readonly code: number | null;
  readonly output: string;
}

async function command(...args: string[]): Promise<Run> {
  const child = spawn(process.execPath, [program("src/commands/rotate-identity.ts"), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...inherited,
      WEFT_DATA: join(top, "one"),
      WEFT_DATABASE_URL: database.url,
      WEFT_SECRET_KEY: secretKey,
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  await once(child, "close");
  return { code: child.exitCode, output };
}

/** The key that a device sees at this gateway. */
async function keyAt(name: string): Promise<string> {
  const port = Number(await inFolder(name, "edge-port"));
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.publicKey.export({ format: "jwk" }).x ?? "");
      socket.destroy();
    });
    socket.once("error", reject);
  });
}

interface Site {
  readonly id: number;
  readonly sn: string;
}

async function makeSites(call: Caller, sns: readonly string[]): Promise<Site[]> {
  const sites: Site[] = [];
  for (const sn of sns) {
    const draft = samples.cpe.valid({ groupid: 1, cpeId: 1, popId: 1 });
    const { data } = await call(cpe.ops.add, { ...draft, groupid: 1, sn, alias: sn });
    sites.push({ id: data.id, sn });
  }
  return sites;
}

/** Edges of these sites in one process; they enrol with new codes unless they are enrolled. */
async function startEdges(call: Caller, name: string, sites: readonly Site[]) {
  const members = [];
  for (const { id, sn } of sites) {
    const { data } = await call(claimAdd, { nodeId: id, preApproved: true, sn: null });
    members.push({ claim: data.claim, serialNumber: sn });
  }
  const file = join(top, `${name}.json`);
  await writeFile(file, JSON.stringify(members));
  return runEdges(name);
}

function runEdges(name: string) {
  const args = ["simulate", "--fleet", join(top, `${name}.json`), "--data", join(top, "edges")];
  const child = spawn(process.execPath, [program("../edge/src/main.ts"), ...args], {
    env: inherited,
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  return { child, output: () => output };
}

const online = (call: Caller, { id, sn }: Site) =>
  eventually(async () => (await call(nodeState, { id })).data.online, `${sn} is online`, patience);

const onDisk = async (sn: string, file: string): Promise<Record<string, unknown> | null> => {
  const path = join(top, "edges", `box-${sn}`, file);
  return existsSync(path) ? JSON.parse(await readFile(path, "utf8")).value : null;
};

/** Someone with this private key at the port of a gateway. @returns how many went again, and spoke */
async function impostorAt(name: string, key: string) {
  const seen = { ended: 0, spoke: 0 };
  const now = Date.now();
  const until = new Date(now + 86_400_000);
  const cert = selfSigned(createPrivateKey(key), "weft-controller", new Date(now - 1_000), until);
  const server = createServer({ key, cert, minVersion: "TLSv1.3" });
  server.on("connection", (socket) => {
    socket.on("close", () => {
      seen.ended += 1;
    });
  });
  server.on("upgrade", (_request, socket) => {
    seen.spoke += 1;
    socket.destroy();
  });
  const port = Number(await inFolder(name, "edge-port"));
  await new Promise<void>((resolve) => server.listen(port, resolve));
  return {
    seen,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function logIn(url: string): Promise<Caller> {
  let token: string | null = null;
  const call = callerOf(url, () => token);
  const { data } = await call(login, { loginName: "admin", password, sms: null });
  token = data.token;
  return call;
}

test("devices that hold the next key follow all gateways to it, and no other key admits", async () => {
  // The port of each gateway is known after its first start only.
  for (const name of ["one", "two"]) await (await start(name, "gateway")).end("SIGTERM");
  const one = await start("one", "api,gateway,worker");
  await start("two", "gateway");
  const old = await keyAt("one");
  const oldPem = await inFolder("one", "identity.pem");
  expect(await keyAt("two")).toBe(old);
  const call = await logIn(one.url);
  const sites = await makeSites(call, ["KEY-A", "KEY-B", "KEY-C"]);
  const [, , away] = sites as [Site, Site, Site];
  const here = sites.slice(0, 2);
  let fleet = await startEdges(call, "here", here);
  const absent = await startEdges(call, "absent", [away]);
  for (const site of sites) await online(call, site);
  await end(absent.child, "SIGKILL");

  const prepared = await command("prepare");
  expect(prepared.output).toMatch(/^Key: [0-9a-f]{16}\nNext key: [0-9a-f]{16}, prepared /);
  // Right when the message arrives: what is on a disk is a whole second key, or none.
  await eventually(
    async () => here.some(({ sn }) => existsSync(join(top, "edges", `box-${sn}`, "next-pin.json"))),
    "a device stores the next key",
    patience,
  );
  await end(fleet.child, "SIGKILL");
  for (const { sn } of here) {
    const pin = await onDisk(sn, "next-pin.json");
    if (pin !== null) expect(pin).toEqual({ present: old, next: expect.stringMatching(/^.{43}$/) });
    expect(await onDisk(sn, "enrolment.json")).toMatchObject({ controllerKey: old });
  }
  fleet = runEdges("here");
  await eventually(
    async () => (await command("status")).output.includes("Devices that hold it: 2 of 3"),
    "both devices have confirmed",
    patience,
  );

  const refused = await command("activate");
  expect(refused.code).toBe(1);
  expect(refused.output).toMatch(
    new RegExp(`${away.id} KEY-C \\(KEY-C, .*last seen .*\\): is offline\n.*--force ${away.id}\n`),
  );
  expect([await keyAt("one"), await keyAt("two")]).toEqual([old, old]);

  const done = await command("activate", "--force", String(away.id));
  expect(done.output).toContain("These need a new activation code:\n  ");
  expect(done.code).toBe(0);
  const next = await eventually(
    async () => {
      const [first, second] = [await keyAt("one"), await keyAt("two")];
      return first !== old && first === second && first;
    },
    "both gateways have the next key",
    patience,
  );
  expect(await inFolder("two", "identity.pem")).toBe(await inFolder("one", "identity.pem"));
  expect(await inFolder("one", "identity.pem")).not.toBe(oldPem);
  for (const { sn } of here) {
    await eventually(
      async () =>
        (await onDisk(sn, "enrolment.json"))?.controllerKey === next &&
        (await onDisk(sn, "next-pin.json")) === null,
      `${sn} has dropped the old key`,
      patience,
    );
  }
  for (const site of here) await online(call, site);
  expect(fleet.output()).not.toContain('"enrolled"');

  // The one that was away says why, and a new code is all that it needs.
  const returned = runEdges("absent");
  await eventually(
    async () => returned.output().includes("changed its key while this device was away"),
    "the device that was away is refused",
    patience,
  );
  expect((await command("status")).output).toMatch(/Need a new activation code .*\n {2}\d+ KEY-C/);
  await end(returned.child, "SIGKILL");
  await rm(join(top, "edges", `box-${away.sn}`, "enrolment.json"));
  await startEdges(call, "absent", [away]);
  await online(call, away);
  expect((await command("status")).output).not.toContain("KEY-C");

  // A gateway that missed it brings its file up to date.
  await writeFile(join(top, "two", "identity.pem"), oldPem);
  await controllers[3]?.end("SIGTERM");
  // So does a backup that is written there meanwhile.
  const { identity } = await writeBackup({
    url: database.url,
    dataDir: join(top, "two"),
    file: join(top, "weft.backup"),
    secretKey: Buffer.from(secretKey, "base64"),
    passphrase: "between two gateways",
  });
  expect(identity?.publicKey).toBe(next);
  await start("two", "gateway");
  expect(await keyAt("two")).toBe(next);
  expect(await inFolder("two", "identity.pem")).not.toBe(oldPem);

  // The old key in other hands, where devices look for their controller.
  for (const gateway of controllers)
    if (gateway.child.exitCode === null) await gateway.end("SIGTERM");
  await end(fleet.child, "SIGKILL");
  const impostor = await impostorAt("one", oldPem);
  fleet = runEdges("here");
  await eventually(async () => impostor.seen.ended >= 2, "devices find the impostor", patience);
  expect(impostor.seen.spoke).toBe(0);
  await end(fleet.child, "SIGKILL");
  await impostor.close();
  // The same server with the key that they hold is called.
  const genuine = await impostorAt("one", await inFolder("one", "identity.pem"));
  runEdges("here");
  await eventually(
    async () => genuine.seen.spoke > 0,
    "devices call their own controller",
    patience,
  );
  await genuine.close();
}, 300_000);
