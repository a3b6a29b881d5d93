/** `lab/src/main.ts VERB`: the lab by hand. See `usage`. */
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { command, environmentOf, exitCode } from "./command.ts";
import { entering } from "./enter.ts";
import { cut, heal, impair, plug, unplug } from "./faults.ts";
import { findLab, openLab } from "./lab.ts";
import { LabError } from "./lab-error.ts";
import { confirmed } from "./operator.ts";
import { ping } from "./ping.ts";
import {
  assertLabPossible,
  ensureInstalled,
  labObstacles,
  missing,
  requirements,
} from "./requirements.ts";
import { joinSitePair } from "./site-pair.ts";
import { defaultLab, twoTenantLab } from "./spec.ts";
import { status } from "./status.ts";
import { down, reboot, up } from "./up.ts";
import { machinesFolder, root, startWorld } from "./world.ts";

/**
 * Builds the lab, runs a controller in it, enrols its three devices and joins the two sites in a
 * space. All of it goes on after this process has ended.
 * @returns what to print for the person who started it
 */
async function startDemonstrationLab(folder: string, port: number): Promise<string> {
  // The machines are new, so the controller is: an old one would know other devices.
  rmSync(join(folder, "controller"), { recursive: true, force: true });
  const world = await startWorld(defaultLab(), { folder, port });
  const pair = await joinSitePair(world);
  for (const id of [pair.pop, pair.cpe1, pair.cpe2]) await confirmed(world.call, id);
  return [
    `console   ${world.url}   admin / ${world.password}`,
    "try       npm run lab -- ping hosta 10.1.2.100",
    "          npm run lab -- cut cpe1 wan1      and heal cpe1 wan1",
    "          npm run lab -- exec cpe1 bash",
    "end       npm run lab -- down",
  ].join("\n");
}

const usage = `usage:
  (nothing)                   build the lab with a controller and three enrolled edges; leave it up
  up [--tenants 2]            build the lab
  down [--keep-disks]         end everything in it
  status                      its nodes, their ports and faults
  exec NODE COMMAND...        run a command in a node
  ping NODE ADDRESS           ping from a node for five seconds
  reboot NODE                 take a machine's power and give it back
  cut NODE PORT               drop everything on a line, silently
  impair NODE PORT PERCENT    lose packets of a line
  heal NODE PORT              undo cut and impair
  unplug NODE PORT            pull the cable out
  plug NODE PORT              and in again
The lab lies in WEFT_LAB_DIR, or in .weft/lab of this repository.`;

const folder = process.env.WEFT_LAB_DIR ?? join(root, ".weft/lab");
const dir = machinesFolder(folder);

type Verb = (args: readonly string[]) => Promise<number>;

const onPort =
  (action: typeof cut): Verb =>
  async ([node = "", port = ""]) => {
    await action(openLab(dir), node, port);
    return 0;
  };

const verbs: Record<string, Verb> = {
  "": async () => {
    await prepare();
    await verbs.down?.([]);
    await buildConsole();
    print(await startDemonstrationLab(folder, Number(process.env.WEFT_PORT ?? 8080)));
    // Controller and edges are children of this process and go on without it.
    process.exit(0);
  },
  up: async (args) => {
    const { values } = parseArgs({ args: [...args], options: { tenants: { type: "string" } } });
    await prepare();
    const started = performance.now();
    const lab = await up(values.tenants === "2" ? twoTenantLab() : defaultLab(), dir);
    const took = ((performance.now() - started) / 1000).toFixed(2);
    print(`${lab.spec.nodes.length} machines are up in ${lab.dir} after ${took} s`);
    return 0;
  },
  down: async (args) => {
    const options = { "keep-disks": { type: "boolean" } } as const;
    const { values } = parseArgs({ args: [...args], options });
    const lab = findLab(dir);
    if (lab) await down(lab, { keepDisks: values["keep-disks"] ?? false });
    print(lab ? `the lab in ${dir} is down` : `there is no lab in ${dir}`);
    return 0;
  },
  status: showStatus,
  exec: ([node = "", ...argv]) => attach(node, argv),
  ping: async ([node = "", address = ""]) => {
    const result = await ping(openLab(dir), node, address, { durationMs: 5_000 });
    print(JSON.stringify(result));
    return result.received > 0 ? 0 : 1;
  },
  reboot: async ([node = ""]) => {
    await reboot(openLab(dir), node);
    return 0;
  },
  cut: onPort(cut),
  heal: onPort(heal),
  unplug: onPort(unplug),
  plug: onPort(plug),
  impair: ([node = "", port = "", percent = ""]) =>
    onPort((lab, name, text) => impair(lab, name, text, Number(percent || Number.NaN)))([
      node,
      port,
    ]),
};

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Installs what the lab and the edges in it need, where that is allowed. */
async function prepare(): Promise<void> {
  const wanted = requirements.filter(({ neededBy }) => neededBy !== "browser");
  const absent = missing(wanted).map((requirement) => requirement.package);
  if (absent.length > 0) print(`lab: installing ${absent.join(" ")} …`);
  const { reasons } = await ensureInstalled(wanted);
  assertLabPossible([...new Set([...labObstacles(), ...reasons])]);
}

/** The controller of the lab serves the console as it was built last. */
async function buildConsole(): Promise<void> {
  const program = join(root, "tools/src/console-build.ts");
  const { code, stdout, stderr } = await command("root", [process.execPath, program], {
    timeout: 600_000,
  });
  if (code !== 0) throw new LabError(`the console could not be built: ${stderr}`);
  print(stdout.trim());
}

async function showStatus(): Promise<number> {
  const nodes = await status(openLab(dir));
  for (const { node, up: isUp, processes, ports } of nodes) {
    print(`${node.padEnd(6)} ${isUp ? `up, ${processes} processes` : "down"}`);
    for (const { name, carrier, fault, addresses } of ports) {
      const state = [carrier ? "up" : "down", ...(fault ? ["FAULT"] : []), ...addresses].join(" ");
      print(`       ${name.padEnd(12)} ${state}`);
    }
  }
  return nodes.every((node) => node.up) ? 0 : 1;
}

/** With this terminal as its own, so that a shell or vtysh can be used in a node. */
function attach(node: string, argv: readonly string[]): Promise<number> {
  if (argv.length === 0) throw new LabError("exec NODE COMMAND...");
  const [program = "", ...args] = entering(openLab(dir), node, argv);
  const env = environmentOf({ TERM: process.env.TERM ?? "dumb" });
  const child = spawn(program, args, { stdio: "inherit", env });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(exitCode(code, signal)));
  });
}

const [verbName = "", ...args] = process.argv.slice(2);
const verb = verbs[verbName];
try {
  if (!verb) throw new LabError(usage);
  process.exitCode = await verb(args);
} catch (error) {
  // A bug shows its stack; what the lab itself says needs none.
  if (!(error instanceof LabError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = verb ? 1 : 2;
}
