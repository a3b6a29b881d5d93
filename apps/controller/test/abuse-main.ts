// npm run test:full -- abuse: floods against a real start under a low limit of descriptors. Meanwhile somebody
// else logs in, reads a list, and changes a device that has to confirm it. The figures are printed and not
// asserted; it fails when one of these is not served at all, or when the controller ends.
// `--seconds 60` floods for longer, `--flood imports` runs those whose name contains it.
import { parseArgs } from "node:util";
import { login } from "@weft/contract/domains/access/session.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { CallFailure } from "@weft/contract/kernel/client.ts";
import { callFrom } from "./abuse-caller.ts";
import { type Flood, floods, quiet } from "./abuse-floods.ts";
import { type AbuseWorld, abuseWorld } from "./abuse-world.ts";
import { type LimitedController, startLimited } from "./limited-controller.ts";
import { eventually } from "./loop-world.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "20" },
    flood: { type: "string", default: "" },
  },
});

/** Of the controller's process; its own files and stores need about 130. */
const descriptors = 400;
/** Each is served so often at least before a flood ends. */
const enough = 3;
/** Then it will not be served. */
const patienceMs = 180_000;

const reasonOf = (error: Error & { readonly code?: string }): string =>
  error instanceof CallFailure ? `code ${error.envelope.code}` : (error.code ?? error.message);

/** What somebody who does no harm does again and again. */
class Service {
  readonly name: string;
  readonly #serve: (turn: number) => Promise<unknown>;
  served = 0;
  readonly refused = new Map<string, number>();
  worstMs = 0;

  constructor(name: string, serve: (turn: number) => Promise<unknown>) {
    this.name = name;
    this.#serve = serve;
  }

  async run(isOver: () => boolean): Promise<void> {
    for (let turn = 0; !isOver(); turn += 1) {
      const start = performance.now();
      try {
        await this.#serve(turn);
        this.served += 1;
        this.worstMs = Math.max(this.worstMs, performance.now() - start);
      } catch (error) {
        const why = reasonOf(error as Error);
        this.refused.set(why, (this.refused.get(why) ?? 0) + 1);
      }
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }

  get text(): string {
    const refused = [...this.refused].map(([why, count]) => `, ${count} times ${why}`).join("");
    return `${this.served}, worst ${Math.round(this.worstMs)} ms${refused}`;
  }
}

let logins = 0;
let networks = 0;

/** What the second user and device do, each again and again. */
function servicesOf({ controller: { url }, served }: AbuseWorld): Service[] {
  const { person, device, change } = served;
  return [
    // Half of the wrong ones are for this account.
    new Service("log-in, known address", () => {
      const { loginName, password, localAddress } = person;
      return callFrom({ url, localAddress }, login, { loginName, password, sms: null });
    }),
    new Service("log-in, new address", async () => {
      // It was never seen, and tries again until it is served.
      const localAddress = `127.1.${Math.floor(logins / 250)}.${1 + (logins % 250)}`;
      const { loginName, password } = person;
      await callFrom({ url, localAddress }, login, { loginName, password, sms: null });
      logins += 1;
    }),
    new Service("list call", () => {
      const { list } = cpe.ops;
      return callFrom(person, list, list.input.parse({ limit: "10" }));
    }),
    new Service("delivery", async () => {
      networks += 1;
      const network = `10.61.${networks % 250}.1/24`;
      await change(network);
      const isConfirmed = async () => device.confirmed.includes(network);
      await eventually(isConfirmed, `${network} is confirmed`, patienceMs);
    }),
  ];
}

interface Row {
  readonly flood: string;
  readonly offered: number;
  readonly services: readonly Service[];
  readonly popStates: number;
  readonly deviceCalls: number;
  readonly mostDescriptors: number;
  readonly problems: readonly string[];
}

async function measure(world: AbuseWorld, flood: Flood): Promise<Row> {
  const { controller, pop, served } = world;
  const before = { pop: pop.states, calls: served.device.calls };
  const running = flood.start(world);
  const services = servicesOf(world);
  const start = performance.now();
  const end = start + Number(values.seconds) * 1_000;
  let mostDescriptors = 0;
  const isLate = () => performance.now() > start + patienceMs;
  const isServed = () => services.every(({ served: count }) => count >= enough);
  const hasEnded = () => controller.child.exitCode !== null || controller.child.signalCode !== null;
  let isOver = false;
  const watch = async (): Promise<void> => {
    while (!hasEnded() && !isLate() && (performance.now() < end || !isServed())) {
      mostDescriptors = Math.max(
        mostDescriptors,
        await controller.openDescriptors().catch(() => 0),
      );
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    isOver = true;
  };
  await Promise.all([watch(), ...services.map((service) => service.run(() => isOver))]);
  const offered = running.offered();
  await running.end();
  const outcomes = [...running.outcomes()].map(([what, count]) => `${what}: ${count}`);
  console.log(`  ${offered} offered; ${outcomes.sort().join(", ")}`);
  const problems = services
    .filter(({ served: count }) => count === 0)
    .map(({ name, text }) => `${flood.name}: not one ${name} was served: ${text}`);
  if (hasEnded()) problems.push(`${flood.name}: the controller ended: ${controller.output()}`);
  return {
    flood: flood.name,
    offered,
    services,
    popStates: pop.states - before.pop,
    deviceCalls: served.device.calls - before.calls,
    mostDescriptors,
    problems,
  };
}

function print(rows: readonly Row[]): void {
  const heads = ["flood", "offered", ...(rows[0]?.services ?? []).map(({ name }) => name)];
  const more = ["states of the shared POP", "calls of the device", "descriptors"];
  console.log(`| ${[...heads, ...more].join(" | ")} |`);
  console.log(`|${" --- |".repeat(heads.length + more.length)}`);
  for (const row of rows) {
    const figures = row.services.map(({ text }) => text);
    const rest = [row.popStates, row.deviceCalls, `${row.mostDescriptors} of ${descriptors}`];
    console.log(`| ${[row.flood, row.offered, ...figures, ...rest].join(" | ")} |`);
  }
}

async function run(controller: LimitedController): Promise<void> {
  const world = await abuseWorld(controller);
  const chosen = [quiet, ...floods].filter(({ name }) => name.includes(values.flood));
  const rows: Row[] = [];
  for (const flood of chosen) {
    console.log(`abuse: ${flood.name}`);
    const row = await measure(world, flood);
    rows.push(row);
    for (const problem of row.problems) console.log(`FOUND ${problem}`);
    if (row.problems.length > 0) process.exitCode = 1;
    if (controller.child.exitCode !== null) break;
  }
  if (rows.length === 0) throw new Error(`no flood is called ${values.flood}`);
  print(rows);
  world.served.device.end();
  world.pop.end();
}

const controller = await startLimited(descriptors, { WEFT_EDGE_ADDRESSES: "wss://127.0.0.1:1" });
try {
  await run(controller);
} finally {
  await controller.remove();
}
process.exit();
