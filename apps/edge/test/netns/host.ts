/**
 * Throw-away machines for tests: a process that holds a network, mount and process namespace with
 * its own /run, and a Machine inside it, addressed by lines of JSON (`child.ts`).
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { waitUntil } from "#drivers/daemon.ts";
import type { LinkMeasure } from "#drivers/driver.ts";
import { type Argv, createRun, type Run, toolEnv } from "#drivers/exec.ts";
import { childProgram } from "./child-program.ts";

const run = createRun();

const isolate: Argv = [
  "unshare",
  "--net",
  "--mount",
  "--pid",
  "--fork",
  "--mount-proc",
  "--kill-child=SIGKILL",
  "sleep",
  "infinity",
];

export class NetnsMachine {
  readonly pid: number;
  readonly dataDir = mkdtempSync(join(tmpdir(), "weft-netns-"));
  readonly #leaseDir = mkdtempSync(join(tmpdir(), "weft-netns-"));
  readonly #namespaceProcess: ChildProcess;
  #edge: NetnsEdge | null = null;

  private constructor(namespaceProcess: ChildProcess, pid: number) {
    this.#namespaceProcess = namespaceProcess;
    this.pid = pid;
  }

  static async create(): Promise<NetnsMachine> {
    const [tool, ...args] = isolate;
    const namespaceProcess = spawn(tool, args, { stdio: "ignore", env: toolEnv() });
    const children = `/proc/${namespaceProcess.pid}/task/${namespaceProcess.pid}/children`;
    const read = () => Number(readFileSync(children, "utf8").trim());
    await waitUntil("a machine's first process", () => read() > 0, 5_000);
    const machine = new NetnsMachine(namespaceProcess, read());
    // The child is there before it has mounted its own /proc and become "sleep".
    const name = () => readFileSync(`/proc/${machine.pid}/comm`, "utf8").trim();
    await waitUntil("a machine's own namespaces", () => name() === "sleep", 5_000);
    await machine.run(["mount", "-t", "tmpfs", "tmpfs", "/run"]);
    // A fixed folder of dhcpcd, on the machine's own disk.
    await machine.run(["mkdir", "-p", "/var/lib/dhcpcd"]);
    await machine.run(["mount", "--bind", machine.#leaseDir, "/var/lib/dhcpcd"]);
    await machine.run(["ip", "link", "set", "lo", "up"]);
    return machine;
  }

  #enter(argv: Argv): Argv {
    return ["nsenter", "-t", `${this.pid}`, "--net", "--mount", "--pid", ...argv];
  }

  /** Runs a tool inside. */
  run: Run = (argv, options) => {
    const { netns, ...rest } = options ?? {};
    const inner: Argv = netns ? ["ip", "netns", "exec", netns, ...argv] : argv;
    return run(this.#enter(inner), rest);
  };

  /**
   * A started Machine in it; the one before is ended silently, as by a crash.
   * @param confined a tool that starts another with fewer rights, with its options
   */
  async edge(
    privateKey: string,
    controllers: readonly string[] = [],
    confined: readonly string[] = [],
  ): Promise<NetnsEdge> {
    this.#edge?.kill();
    const keyFile = join(this.dataDir, "tunnel.key");
    writeFileSync(keyFile, privateKey, { mode: 0o600 });
    const argv: Argv = [
      process.execPath,
      await childProgram(),
      this.dataDir,
      keyFile,
      controllers.join(","),
    ];
    const [tool, ...args] = [...confined, ...argv] as [string, ...string[]];
    this.#edge = new NetnsEdge(this.#enter([tool, ...args]));
    await this.#edge.ask("start");
    return this.#edge;
  }

  async remove(): Promise<void> {
    this.#edge?.kill();
    // Its first process takes all others along.
    const gone = new Promise((resolve) => this.#namespaceProcess.once("exit", resolve));
    this.#namespaceProcess.kill("SIGTERM");
    process.kill(this.pid, "SIGKILL");
    await gone;
    for (const folder of [this.dataDir, this.#leaseDir])
      rmSync(folder, { recursive: true, force: true });
  }
}

interface Answer {
  readonly ok?: unknown;
  readonly error?: string;
  readonly tools?: number;
}

/** The Machine of a namespace machine, in a process of its own. */
export class NetnsEdge {
  readonly #child: ChildProcess;
  readonly #waiting: ((answer: Answer) => void)[] = [];
  #output = "";
  /** How many tools the last question started. */
  lastTools = 0;

  constructor([tool, ...args]: Argv) {
    this.#child = spawn(tool, args, { stdio: ["pipe", "pipe", "pipe"], env: toolEnv() });
    this.#child.stderr?.on("data", (text: Buffer) => {
      this.#output += text.toString();
    });
    this.#child.on("exit", () => {
      for (const notify of this.#waiting.splice(0)) notify({ error: `ended: ${this.#output}` });
    });
    if (this.#child.stdout)
      createInterface({ input: this.#child.stdout }).on("line", (line) =>
        this.#waiting.shift()?.(JSON.parse(line) as Answer),
      );
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  async ask(command: string, state: DesiredState | null = null): Promise<unknown> {
    const answer = await new Promise<Answer>((resolve) => {
      this.#waiting.push(resolve);
      this.#child.stdin?.write(`${JSON.stringify({ command, state })}\n`);
    });
    if (answer.error !== undefined) throw new Error(answer.error);
    this.lastTools = answer.tools ?? 0;
    return answer.ok;
  }

  /** From now on its clock goes on from this moment, ms since 1970. */
  turnClock(instant: number): Promise<unknown> {
    return this.ask(`clock ${instant}`);
  }

  apply(state: DesiredState | null): Promise<unknown> {
    return this.ask("apply", state);
  }

  /** Starts from its disk, as after power-on. @returns the serial of the state that it runs; 0: none */
  async boot(state: DesiredState): Promise<number> {
    return (await this.ask("boot", state)) as number;
  }

  /** A state of the controller, which confirms it. */
  async deliver(state: DesiredState): Promise<void> {
    await this.ask("deliver", state);
    await this.ask("confirm");
  }

  async findings(state: DesiredState | null): Promise<Finding[]> {
    return (await this.ask("validate", state)) as Finding[];
  }

  /** Throws what is still to do, once the machine had the time of an apply to settle. */
  settled(state: DesiredState | null): Promise<unknown> {
    return this.ask("settled", state);
  }

  async plan(state: DesiredState | null): Promise<string[]> {
    return (await this.ask("plan", state)) as string[];
  }

  /** Waits until the machine is as the state has it. */
  untilNothingToDo(state: DesiredState): Promise<void> {
    const isDone = async () => (await this.plan(state)).length === 0;
    return waitUntil("nothing to do", isDone, 60_000, 200);
  }

  async measures(): Promise<LinkMeasure[]> {
    return (await this.ask("measures")) as LinkMeasure[];
  }
}

/** A cable between two machines; its ends are up. */
export const cable = async (
  [one, nameOne]: readonly [NetnsMachine, string],
  [other, nameOther]: readonly [NetnsMachine, string],
): Promise<void> => {
  await run([
    ...(["ip", "link", "add", nameOne, "netns", `${one.pid}`, "type", "veth"] as const),
    "peer",
    "name",
    nameOther,
    "netns",
    `${other.pid}`,
  ]);
  await one.run(["ip", "link", "set", "dev", nameOne, "up"]);
  await other.run(["ip", "link", "set", "dev", nameOther, "up"]);
};

/** A host: an address in each family, and the device as its way out. */
export const configureHost = async (
  host: NetnsMachine,
  name: string,
  pairs: readonly { readonly address: string; readonly gateway: string }[],
): Promise<void> => {
  for (const { address, gateway } of pairs) {
    const nodad = address.includes(":") ? ["nodad"] : [];
    await host.run(["ip", "addr", "add", address, "dev", name, ...nodad]);
    await host.run(["ip", "route", "add", "default", "via", gateway]);
  }
};

/** True when one of a few pings, sent in quick succession, comes back. */
export const pings = (from: NetnsMachine, target: string, count = 2): Promise<boolean> =>
  from.run(["ping", "-n", "-c", `${count}`, "-i", "0.2", "-W", "1", target]).then(
    () => true,
    () => false,
  );
