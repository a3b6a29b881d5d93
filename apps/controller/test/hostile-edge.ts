/** Generated messages of devices: on proven and unproven sockets, and as the two plain calls. */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  confirmPath,
  confirmRequest,
  enrolPath,
  enrolRequest,
  fromEdge,
} from "@weft/contract/device/v1/messages.ts";
import * as fc from "fast-check";
import pg from "pg";
import { pino } from "pino";
import { defaultTimes } from "#gateway/hub.ts";
import { startGateway } from "#gateway/start.ts";
import { testApi } from "./api.ts";
import { type FakeEdge, post } from "./fake-edge.ts";
import { type Finding, stopwatch } from "./hostile-http.ts";
import { changedTables, type Fingerprint, watchRows } from "./hostile-rows.ts";
import { nearly, rawBody, wireOf } from "./hostile-values.ts";
import { LoopWorld } from "./loop-world.ts";

export interface EdgeCase {
  readonly surface: "proven" | "unproven" | "enrol" | "confirm";
  readonly text: string;
}

/** What a case came to: the reason of the refusal, or that there was none. */
type Outcome = { readonly reason: string } & ReturnType<ReturnType<typeof stopwatch>>;

export interface EdgeRun {
  readonly findings: Finding[];
  /** Surface and outcome -> how many. */
  readonly outcomes: Map<string, number>;
  readonly slowestMs: number;
}

/** Presence of a device changes with every socket, whatever is sent on it; alarms then check it. */
const presence = ["node_status", "transition", "cpe_link_log", "alarm_due", "gateway_process"];
/** Refused with this is what broke on our side. */
const ownReason = "busy";
/** Ms: then there will be none. Longer than an answer may take. */
const noAnswerMs = 30_000;
/** Sent behind the message: the answer to it shows that the message was taken. */
const sentinel = { text: "a second hello" } as const;

function messages(serialNumber: string, node: number): fc.Arbitrary<unknown> {
  const own: Readonly<Record<string, unknown>> = { serialNumber, node };
  const belongs = (value: unknown): unknown =>
    Object.fromEntries(
      Object.entries(value as object).map(([name, one]) => [name, own[name] ?? one]),
    );
  const ofThisDevice = wireOf(fromEdge).map(belongs);
  return fc.oneof(nearly(ofThisDevice), nearly(wireOf(fromEdge)));
}

const jsonOf = (value: unknown): string => JSON.stringify(value) ?? "";

/** Cases for this device; the same seed gives the same ones. */
function edgeCases(
  { serialNumber, node }: FakeEdge,
  { cases, seed }: { cases: number; seed: number },
): EdgeCase[] {
  const message = fc.oneof(
    { weight: 8, arbitrary: messages(serialNumber, node).map(jsonOf) },
    { weight: 1, arbitrary: rawBody },
  );
  const of = (surface: EdgeCase["surface"], text: fc.Arbitrary<string>) =>
    fc.record({ surface: fc.constant(surface), text });
  const one = fc.oneof(
    { weight: 6, arbitrary: of("proven", message) },
    { weight: 2, arbitrary: of("unproven", message) },
    { weight: 1, arbitrary: of("enrol", nearly(wireOf(enrolRequest)).map(jsonOf)) },
    { weight: 1, arbitrary: of("confirm", nearly(wireOf(confirmRequest)).map(jsonOf)) },
  );
  return fc.sample(one, { numRuns: cases, seed });
}

async function onSocket(edge: FakeEdge, { surface, text }: EdgeCase): Promise<Outcome> {
  const isProven = surface === "proven";
  const line = isProven ? await edge.connect() : edge.open();
  if (!isProven) await line.next("challenge");
  const stop = stopwatch();
  const refusal = new Promise<string>((resolve) => {
    line.socket.on("message", (data) => {
      const { type, reason, text: refusal } = JSON.parse(String(data));
      if (type === "refused") resolve(refusal === sentinel.text ? "taken" : reason);
    });
    // 1009: longer than a message may be (RFC 6455, section 7.4.1).
    line.socket.on("close", (code) => resolve(code === 1_009 ? "too large" : "closed unheard"));
    setTimeout(() => resolve("no answer"), noAnswerMs).unref();
  });
  line.socket.send(text);
  if (isProven) line.send(edge.hello("", "a".repeat(22)));
  const reason = await refusal;
  line.socket.terminate();
  return { reason, ...stop() };
}

async function onCall(edge: FakeEdge, { surface, text }: EdgeCase): Promise<Outcome> {
  const stop = stopwatch();
  const path = surface === "enrol" ? enrolPath : confirmPath;
  const { status, body } = await post(`${edge.url}${path}`, text);
  const took = stop();
  if (status === 413) return { reason: "too large", ...took };
  return { reason: status === 403 ? String(body.reason) : `status ${status}`, ...took };
}

const wrong = new Set([ownReason, "closed unheard", "no answer", "status 500", "undefined"]);

/** Starts a controller with one enrolled device, and says all of it one after the other. */
export async function runEdge(amount: { cases: number; seed: number }): Promise<EdgeRun> {
  const api = await testApi();
  const dataDir = await mkdtemp(join(tmpdir(), "weft-hostile-"));
  const times = { ...defaultTimes, pollMs: 60_000 };
  const failed: string[] = [];
  const sink = { write: (line: string) => void failed.push(line) };
  const gateway = await startGateway({
    app: api.app,
    pools: api.database.pools,
    settings: { edgePort: 0, edgeAddresses: ["wss://127.0.0.1:0"] },
    logger: pino({ level: "error" }, sink),
    dataDir,
    times,
  });
  const world = new LoopWorld(api, await api.logIn("admin"), dataDir, times, gateway);
  const database = new pg.Client({ connectionString: api.database.url });
  try {
    await database.connect();
    const edge = await world.enrolled(await world.addSite());
    const fingerprint = await watchRows(database, presence);
    return await runCases(edge, fingerprint, failed, edgeCases(edge, amount));
  } finally {
    await database.end();
    await world.close();
  }
}

async function runCases(
  edge: FakeEdge,
  fingerprint: Fingerprint,
  failed: string[],
  cases: readonly EdgeCase[],
): Promise<EdgeRun> {
  const findings: Finding[] = [];
  const outcomes = new Map<string, number>();
  let slowestMs = 0;
  let rows = await fingerprint();
  for (const [place, one] of cases.entries()) {
    const isSocket = one.surface === "proven" || one.surface === "unproven";
    const { reason, ms, problem } = await (isSocket ? onSocket(edge, one) : onCall(edge, one));
    const found = (text: string) =>
      findings.push({
        case: `#${place} ${one.surface}: ${one.text.slice(0, 1_500)}`,
        problem: text,
      });
    const key = `${one.surface} ${reason}`;
    outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
    slowestMs = Math.max(slowestMs, ms);
    if (problem !== null) found(problem);
    if (wrong.has(reason)) found(`${reason} ${failed.join("").slice(0, 800)}`);
    else if (failed.length > 0) found(`logged an error: ${failed.join("").slice(0, 800)}`);
    failed.length = 0;
    const after = await fingerprint();
    if (reason !== "taken" && after !== rows) {
      found(`${reason}, and wrote to ${changedTables(rows, after).join(", ")}`);
    }
    rows = after;
  }
  return { findings, outcomes, slowestMs };
}
