/**
 * PostgreSQL takes connections and answers nothing, because its processes are stopped: calls are refused meanwhile,
 * and whoever has a socket keeps it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { login } from "@weft/contract/domains/access/session.ts";
import { nodeState } from "@weft/contract/domains/delivery/node-state.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { claimAdd } from "@weft/contract/domains/devices/enrolment.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { liveTicket } from "@weft/contract/domains/monitoring/live.ts";
import { livePath } from "@weft/contract/domains/monitoring/live-stream.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readPidFile } from "#db/embedded/pid-file.ts";
import { answerFrom, callFrom, type From } from "./abuse-caller.ts";
import { childrenOf, inherited } from "./controller-process.ts";
import { type LimitedController, startLimited } from "./limited-controller.ts";
import { eventually } from "./loop-world.ts";

const patience = 600_000;
/** Longer than a statement may take, and than a device waits for an answer. */
const stoppedMs = 50_000;
const serialNumber = "STOPPED-1";

let controller: LimitedController;
let wire: Server;
/** Connections of the device. */
const open = new Set<Socket>();
let folder: string;
let edge: ChildProcess | undefined;
let from: From;
let site: number;
let stopped: readonly number[] = [];

/** All processes of the database that the controller started for this test. */
async function databaseProcesses(): Promise<number[]> {
  const server = (await readPidFile(join(controller.folder, "postgres/data")))?.pid;
  if (server === undefined) throw new Error("there is no database");
  return [server, ...(await childrenOf(server))];
}

const goOn = (): void => {
  for (const pid of stopped) process.kill(pid, "SIGCONT");
  stopped = [];
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "weft-stopped-"));
  wire = createServer((near) => {
    const far = connect({ port: controller.edgePort, host: "127.0.0.1" });
    open.add(near);
    for (const socket of [near, far]) {
      socket.on("error", () => undefined);
      socket.on("close", () => {
        open.delete(near);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  await once(wire.listen(0, "127.0.0.1"), "listening");
  const { port } = wire.address() as { readonly port: number };
  controller = await startLimited(4_096, { WEFT_EDGE_ADDRESSES: `wss://127.0.0.1:${port}` });
  const { url, password } = controller;
  const stranger = { url, localAddress: "127.0.0.1" };
  const { token } = await callFrom(stranger, login, { loginName: "admin", password, sms: null });
  from = { ...stranger, token };
  const draft = samples.cpe.valid({ groupid: 1, cpeId: 1, popId: 1 });
  ({ id: site } = await callFrom(from, cpe.ops.add, {
    ...draft,
    groupid: 1,
    sn: serialNumber,
    alias: serialNumber,
  }));
  const claimed = { nodeId: site, preApproved: true, sn: null };
  const { claim } = await callFrom(from, claimAdd, claimed);
  const fleet = join(folder, "fleet.json");
  await writeFile(fleet, JSON.stringify([{ claim, serialNumber }]));
  const main = join(import.meta.dirname, "../../edge/src/main.ts");
  const args = [main, "simulate", "--fleet", fleet, "--data", join(folder, "edges")];
  edge = spawn(process.execPath, args, { env: inherited, stdio: "ignore" });
}, patience);

afterAll(async () => {
  goOn();
  edge?.kill("SIGKILL");
  wire.close();
  for (const socket of open) socket.destroy();
  await controller.remove();
  await rm(folder, { recursive: true });
}, patience);

const stateOf = () => callFrom(from, nodeState, { id: site });

/** Gives the device another LAN, and waits until it has it. */
async function delivered(third: number): Promise<void> {
  const before = (await stateOf()).confirmed?.serial ?? 0;
  const draft = samples.lansection.valid({ groupid: 1, cpeId: site, popId: 1 });
  await callFrom(from, lanSection.ops.add, {
    ...draft,
    interfaceName: `lan${third}`,
    network: `10.70.${third}.1/24`,
    network6: null,
  });
  const isConfirmed = async () => ((await stateOf()).confirmed?.serial ?? 0) > before;
  await eventually(isConfirmed, "the device confirms", 120_000);
}

/** The stream of events of a console. */
async function listen() {
  const { ticket } = await callFrom(from, liveTicket, {});
  const reply = await fetch(`${from.url}${livePath}?ticket=${ticket}`);
  const stream = { isOver: false, text: "" };
  const read = async (): Promise<void> => {
    for await (const part of reply.body ?? []) stream.text += Buffer.from(part).toString();
  };
  void read()
    .catch(() => undefined)
    .finally(() => {
      stream.isOver = true;
    });
  return stream;
}

test("a database that is stopped for longer than a statement may take costs no device and no console its socket", {
  timeout: patience,
}, async () => {
  await delivered(1);
  const stream = await listen();
  await delivered(2);
  await eventually(async () => stream.text.includes("transition"), "an event", 60_000);
  // Confirmations go on connections of their own, which end with them.
  await eventually(async () => open.size === 1, "only the socket is open", 60_000);
  const sockets = [...open];

  stopped = await databaseProcesses();
  for (const pid of stopped) process.kill(pid, "SIGSTOP");
  const end = performance.now() + stoppedMs;
  const codes = new Set<number>();
  const { list } = cpe.ops;
  while (performance.now() < end) {
    const asked = Array.from({ length: 4 }, () =>
      answerFrom(from, list, list.input.parse({ limit: "10" })),
    );
    for (const { code } of await Promise.all(asked)) codes.add(code);
  }
  goOn();
  expect([...codes]).toEqual([503]);

  const isServed = async () =>
    (await answerFrom(from, list, list.input.parse({ limit: "10" }))).code === 0;
  await eventually(isServed, "a list is answered", 120_000);
  const before = stream.text.length;
  await delivered(3);
  await eventually(async () => stream.text.length > before, "another event", 60_000);
  expect(stream.isOver).toBe(false);
  expect(sockets.map((socket) => open.has(socket))).toEqual([true]);
  expect(controller.child.exitCode).toBe(null);
});
