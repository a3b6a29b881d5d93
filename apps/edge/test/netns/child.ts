/**
 * Test program: a Machine driven by lines of JSON on standard input, to be run inside the namespaces
 * of a machine that a test made. One answer a line: {"ok": value} or {"error": text}.
 */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { createRun, type Run } from "#drivers/exec.ts";
import { createMachine } from "#drivers/machine.ts";
import { systemClock } from "#edge/clock.ts";
import { createLog } from "#edge/log.ts";
import { DriftWatch } from "#state/drift.ts";
import { planAll, runAll, summaries, validateAll, verify } from "#state/machine-run.ts";
import { Delivery } from "./delivery.ts";
import { triedOnce } from "./tried-once.ts";

const [, , dataDir = "", keyFile = "", controllers = ""] = process.argv;

/** Tools that were started, ever. */
let tools = 0;
const run = triedOnce(createRun());
const countedRun: Run = (argv, options) => {
  tools += 1;
  return run(argv, options);
};

/** Ms that the device's clock is ahead. */
let ahead = 0;
const machine = createMachine({
  run: countedRun,
  now: () => Date.now() + ahead,
  dataDir,
  log: createLog("silent"),
  controllers: controllers.split(",").filter((one) => one !== ""),
  tunnelPrivateKey: readFileSync(keyFile, "utf8").trim(),
});

let watched: DesiredState | null = null;
/** How often something was found that is not as wanted. */
let found = 0;
/** Without the examinations of a heartbeat: it examines after messages of the kernel only. */
const drift = new DriftWatch({
  clock: systemClock,
  log: createLog("silent"),
  machine,
  reconciler: {
    isBusy: false,
    found: () => undefined,
    get running() {
      return watched && { state: watched };
    },
    exclusive: (work) => work(),
  },
  heals: true,
  changed: () => {
    if (drift.steps.length > 0) found += 1;
  },
});

/** From here on differences from the state are repaired; null: no longer. */
const watch = async (state: DesiredState | null): Promise<void> => {
  if (watched === null) {
    machine.watchKernel(() => drift.hint());
    machine.watchLines(() => drift.hint());
  }
  watched = state;
};

let delivery: Delivery | null = null;
const booted = (): Delivery => {
  if (!delivery) throw new Error("it was not booted");
  return delivery;
};

const commands: Record<string, (state: DesiredState | null) => Promise<unknown>> = {
  clock: async () => ahead,
  start: () => machine.start(),
  stop: () => machine.stop(),
  capabilities: () => machine.capabilities(),
  lines: () => machine.lines(),
  ipv6Lines: () => machine.ipv6Lines(Date.now()),
  measures: () => machine.measures(),
  hits: () => machine.hits(100),
  repairs: async () => machine.repairs.waiting,
  paths: async () => machine.paths(),
  moves: async () => machine.moves.waiting,
  flows: async () => machine.flows.first(2_000),
  standby: async () => machine.standby(),
  plan: async (state) => summaries(await planAll(machine, state)),
  settled: (state) => verify(machine, state, systemClock),
  watch,
  drift: async () => drift.steps,
  found: async () => found,
  validate: async (state) => state && (await validateAll(machine, state)),
  /** From the disk; the state only says which node it is. */
  boot: async (state) => {
    delivery = await Delivery.boot(dataDir, machine, state?.node.nodeId ?? 0);
    return delivery.serial;
  },
  deliver: async (state) => state && booted().apply(state),
  confirm: async () => booted().end(true),
  miss: async () => booted().end(false),
  apply: async (state) => runAll(await planAll(machine, state)),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { command, state } = JSON.parse(line) as { command: string; state: DesiredState | null };
  const before = tools;
  const [name = "", instant] = command.split(" ");
  if (name === "clock") ahead = Number(instant) - Date.now();
  const answer = await commands[name]?.(state).then(
    (ok) => ({ ok: ok ?? null, tools: tools - before }),
    (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
  );
  process.stdout.write(`${JSON.stringify(answer ?? { error: `no command ${command}` })}\n`);
}
process.exit(0);
