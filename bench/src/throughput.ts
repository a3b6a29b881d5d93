/**
 * What the tunnels between two sites carry, against wireguard-go and routes alone: the same machines,
 * cables and traffic. The yardstick is taken before and after, not in turn: an installation that is
 * there and idle would slow it down.
 */
import { rmSync } from "node:fs";
import { mustExec } from "@weft/lab/enter.ts";
import type { Lab } from "@weft/lab/lab.ts";
import { confirmed } from "@weft/lab/operator.ts";
import { joinSitePair } from "@weft/lab/site-pair.ts";
import { defaultLab } from "@weft/lab/spec.ts";
import { down, up } from "@weft/lab/up.ts";
import { startWorld } from "@weft/lab/world.ts";
import { joinBare } from "./bare-tunnels.ts";
import { isMachineBusy } from "./idle.ts";
import { type Result, ratioResult } from "./report.ts";
import { type Round, summarise } from "./rounds.ts";

/** The yardstick's rounds before and after; those of Weft are as many as both. */
const half = 3;
const seconds = 6;
/** Packets on their way at the same time: enough to keep every program of the path busy, too few to overrun a queue. */
const window = 64;
const farHost = "10.1.2.100";
const port = 5_201;

/** Bits per second that one TCP stream brings to the other site, counted where it arrives. */
async function stream(lab: Lab): Promise<number> {
  const receive = `
    require("node:net").createServer((socket) => {
      let bytes = 0;
      let from;
      socket.on("data", (chunk) => {
        from ??= performance.now();
        bytes += chunk.length;
      });
      socket.on("end", () => {
        console.log(bytes * 8 / ((performance.now() - from) / 1000));
        process.exit(0);
      });
    }).listen(${port});`;
  const send = `
    const chunk = Buffer.alloc(256 * 1024);
    let isOver = false;
    const connect = () => {
      const socket = require("node:net").connect(${port}, "${farHost}");
      const go = () => { while (!isOver && socket.write(chunk)); };
      socket.on("error", () => setTimeout(connect, 50));
      socket.on("drain", go).on("connect", () => {
        go();
        setTimeout(() => { isOver = true; socket.end(); }, ${seconds * 1_000});
      });
    };
    connect();`;
  const options = { timeout: (seconds + 30) * 1_000 };
  const [text] = await Promise.all([
    mustExec(lab, "hostb", [process.execPath, "-e", receive], options),
    mustExec(lab, "hosta", [process.execPath, "-e", send], options),
  ]);
  return Number(text);
}

/** Small packets per second that go to the other site and come back, as many at a time as `window` says. */
async function packets(lab: Lab): Promise<number> {
  const flood = ["ping", "-n", "-q", "-f", "-l", `${window}`, "-w", `${seconds}`, "-s", "56"];
  const text = await mustExec(lab, "hosta", [...flood, farHost], { timeout: 60_000 });
  const [, received, ms] = / (\d+) received.* time (\d+)ms/.exec(text) ?? [];
  if (received === undefined) throw new Error(`no result in: ${text}`);
  return (1_000 * Number(received)) / Number(ms);
}

interface Carried {
  readonly bits: number;
  readonly packets: number;
}

async function rounds(lab: Lab, count: number): Promise<Carried[]> {
  const untilAnswered = `until ping -n -c 1 -W 0.5 ${farHost} >/dev/null; do sleep 0.1; done`;
  await mustExec(lab, "hosta", ["sh", "-c", untilAnswered], { timeout: 60_000 });
  const all: Carried[] = [];
  for (let at = 0; at < count; at++)
    all.push({ bits: await stream(lab), packets: await packets(lab) });
  return all;
}

async function bare(): Promise<Carried[]> {
  const lab = await up(defaultLab());
  try {
    await joinBare(lab);
    return await rounds(lab, half);
  } finally {
    await down(lab);
    rmSync(lab.dir, { recursive: true, force: true });
  }
}

/** Devices forward without their controller, which would only take the cores of the machine from them. */
async function product(): Promise<Carried[]> {
  const world = await startWorld(defaultLab());
  try {
    const { pop, cpe1, cpe2 } = await joinSitePair(world);
    for (const id of [pop, cpe1, cpe2]) await confirmed(world.call, id);
    await world.controller.stop("SIGTERM");
    return await rounds(world.lab, 2 * half);
  } finally {
    await world.close();
  }
}

export async function* throughput(): AsyncIterable<Result> {
  const isBusy = isMachineBusy();
  const before = await bare();
  const subject = await product();
  const yardstick = [...before, ...(await bare())];
  const compare = (what: string, unit: string, of: (one: Carried) => number): Result => {
    const pairs = subject.map((one, at): Round => {
      const other = yardstick[at];
      return { yardstick: other ? of(other) : Number.NaN, subject: of(one) };
    });
    const summary = summarise(pairs);
    const names = { bench: "throughput", what, yardstick: "wireguard-go and routes alone", unit };
    const result = ratioResult(names, summary, pairs.length, { atLeast: 0.9 });
    return { ...result, isVoid: result.isVoid || isBusy };
  };
  const sites = "host to host over the tunnels of two sites";
  yield compare(`one TCP stream, ${sites}`, "Mbit/s", ({ bits }) => bits / 1e6);
  yield compare(`small packets there and back, ${sites}`, "packets/s", (one) => one.packets);
}
