import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Box } from "#drivers/box.ts";
import type { Driver, LinkMeasure } from "#drivers/driver.ts";
import { inNetns, toolEnv } from "#drivers/exec.ts";
import { answers, figuresOf, parseReply, periodMs, type Reply, windowMs } from "./figures.ts";
import { LinkMeter } from "./observe.ts";
import {
  type ProbeFound,
  type ProbePart,
  type ProbeSet,
  type ProbeStep,
  pickProbes,
  planProbes,
} from "./plan.ts";

export interface Probes extends Driver<ProbePart, ProbeFound, ProbeStep> {
  measures(): Promise<LinkMeasure[]>;
  /** Links that this end probes, by id: whether they answer; unknown ones are left out. */
  verdicts(): ReadonlyMap<number, boolean>;
  /** Starts again what died. */
  tend(): Promise<void>;
  stop(): Promise<void>;
}

/** -t: without it the time-out would be the period, and a long line look dead. -i: least pause. */
const options = ["-l", "-D", "-b", "12", "-i", "1", "-p", `${periodMs}`, "-t", "1000"];

/** One fping over all targets of a namespace. It ends with the edge: its output breaks then. */
class Prober {
  readonly set: ProbeSet;
  readonly #child: ChildProcess;
  readonly #replies = new Map<string, Reply[]>();
  readonly #startedAt = Date.now();
  isRunning = true;

  constructor(set: ProbeSet) {
    this.set = set;
    const [tool, ...args] = inNetns(set.netns, ["fping", ...options, ...set.targets]);
    this.#child = spawn(tool, args, { stdio: ["ignore", "pipe", "ignore"], env: toolEnv() });
    const ended = () => {
      this.isRunning = false;
    };
    this.#child.on("error", ended).on("exit", ended);
    if (this.#child.stdout)
      createInterface({ input: this.#child.stdout }).on("line", (text) => this.#hear(text));
  }

  #hear(text: string): void {
    const heard = parseReply(text);
    if (!heard) return;
    const replies = this.#replies.get(heard.target) ?? [];
    replies.push(heard.reply);
    // Twice the window is kept, so that the list is not cut at each reply.
    if (replies.length > (2 * windowMs) / periodMs) replies.splice(0, windowMs / periodMs);
    this.#replies.set(heard.target, replies);
  }

  figures(target: string) {
    return figuresOf(this.#replies.get(target) ?? [], this.#startedAt, Date.now());
  }

  answers(target: string): boolean | null {
    return answers(this.#replies.get(target) ?? [], this.#startedAt, Date.now());
  }

  stop(): Promise<void> {
    if (!this.isRunning) return Promise.resolve();
    return new Promise((resolve) => {
      this.#child.once("exit", () => resolve());
      this.#child.kill("SIGTERM");
    });
  }
}

const sameSet = (one: ProbeSet, other: ProbeSet): boolean =>
  one.netns === other.netns && one.targets.join(" ") === other.targets.join(" ");

/** Measures links from the end that is told to (dataplane section 9). */
export const createProbes = (box: Box): Probes => {
  let probers: Prober[] = [];
  let links: ProbePart = [];
  const meter = new LinkMeter(box.run);
  const watch = async (sets: readonly ProbeSet[]) => {
    const kept = probers.filter(
      ({ set, isRunning }) => isRunning && sets.some((wanted) => sameSet(set, wanted)),
    );
    const ending = probers.filter((prober) => !kept.includes(prober));
    await Promise.all(ending.map((prober) => prober.stop()));
    const missing = sets.filter((wanted) => !kept.some(({ set }) => sameSet(set, wanted)));
    probers = [...kept, ...missing.map((set) => new Prober(set))];
  };
  const proberOf = ({ probe, netns, target }: ProbePart[number]): Prober | undefined =>
    probe
      ? probers.find(({ set }) => set.netns === netns && set.targets.includes(target))
      : undefined;
  const running = () => probers.filter(({ isRunning }) => isRunning).map(({ set }) => set);
  return {
    name: "probe",
    pick: pickProbes,
    validate: async () => {},
    observe: async () => ({ links, running: running() }),
    plan: planProbes,
    run: async (step, part) => {
      links = part;
      await watch(step.sets);
    },
    measures: () => meter.measure(links, (link) => proberOf(link)?.figures(link.target) ?? null),
    verdicts: () =>
      new Map(
        links.flatMap((link): [number, boolean][] => {
          const answer = proberOf(link)?.answers(link.target) ?? null;
          return answer === null ? [] : [[link.id, answer]];
        }),
      ),
    tend: async () => {
      if (running().length < probers.length) await watch(probers.map(({ set }) => set));
    },
    stop: async () => {
      await watch([]);
    },
  };
};
