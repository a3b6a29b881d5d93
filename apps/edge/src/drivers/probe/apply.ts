import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Device } from "#drivers/device.ts";
import type { Driver, LinkMeasure } from "#drivers/driver.ts";
import { endTool, inNetns, toolEnv } from "#drivers/exec.ts";
import { reasonOf } from "#edge/log.ts";
import { type FamilyAnswers, Ipv6Monitor } from "./ipv6.ts";
import { Listener } from "./listen.ts";
import { answers, metricsOf, parseReply, periodMs, type Reply, windowMs } from "./metrics.ts";
import { LinkMeter } from "./observe.ts";
import { type PathMtu, PathMtus } from "./path-mtu.ts";
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
  /** Links by id: whether they answer (or, probed by the other end, bring packets); unknown ones are left out. */
  verdicts(): ReadonlyMap<number, boolean>;
  /** Packets that interfaces of links received so far, where this end listens. */
  received(): ReadonlyMap<string, number>;
  /** Links by id whose path carries less than they were given. */
  pathMtus(): ReadonlyMap<number, PathMtu>;
  /** Ids of links that answer, but not by IPv6. */
  deadIpv6(): ReadonlySet<number>;
  /** Calls back when path MTUs or dead IPv6 became others, until the returned is called. */
  watchPaths(changed: () => void): () => void;
  /** A line changed: links may have other paths. */
  linesChanged(): void;
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
      createInterface({ input: this.#child.stdout }).on("line", (text) => this.#receive(text));
  }

  #receive(text: string): void {
    const received = parseReply(text);
    if (!received) return;
    const replies = this.#replies.get(received.target) ?? [];
    replies.push(received.reply);
    // Twice the window is kept, so that the list is not cut at each reply.
    if (replies.length > (2 * windowMs) / periodMs) replies.splice(0, windowMs / periodMs);
    this.#replies.set(received.target, replies);
  }

  metrics(target: string) {
    return metricsOf(this.#replies.get(target) ?? [], this.#startedAt, Date.now());
  }

  answers(target: string): boolean | null {
    return answers(this.#replies.get(target) ?? [], this.#startedAt, Date.now());
  }

  async stop(): Promise<void> {
    if (this.isRunning) await endTool(this.#child);
  }
}

const sameSet = (probeSet: ProbeSet, other: ProbeSet): boolean =>
  probeSet.netns === other.netns && probeSet.targets.join(" ") === other.targets.join(" ");

interface Process {
  readonly isRunning: boolean;
  stop(): Promise<void>;
}

/** Of these processes those that run and are wanted, and new ones for what is missing. */
async function keepRunning<P extends Process, Wanted>(
  present: readonly P[],
  wanted: readonly Wanted[],
  does: (probe: P, want: Wanted) => boolean,
  start: (want: Wanted) => P,
): Promise<P[]> {
  const kept = present.filter(
    (probe) => probe.isRunning && wanted.some((want) => does(probe, want)),
  );
  await Promise.all(present.filter((probe) => !kept.includes(probe)).map((probe) => probe.stop()));
  const missing = wanted.filter((want) => !kept.some((probe) => does(probe, want)));
  return [...kept, ...missing.map(start)];
}

/** Namespaces with links that the other end probes. */
const heardIn = (links: ProbePart): (string | null)[] => [
  ...new Set(links.filter(({ probe }) => !probe).map(({ netns }) => netns)),
];

/** The links of the part that runs, and the processes that measure them. */
class Watch {
  links: ProbePart = [];
  #probers: Prober[] = [];
  #listeners: Listener[] = [];

  get running(): ProbeSet[] {
    return this.#probers.filter(({ isRunning }) => isRunning).map(({ set }) => set);
  }

  async keep(sets: readonly ProbeSet[], places: readonly (string | null)[]): Promise<void> {
    const isOf = ({ set }: Prober, wanted: ProbeSet) => sameSet(set, wanted);
    this.#probers = await keepRunning(this.#probers, sets, isOf, (set) => new Prober(set));
    const isIn = ({ netns }: Listener, place: string | null) => netns === place;
    const listen = (place: string | null) => new Listener(place);
    this.#listeners = await keepRunning(this.#listeners, places, isIn, listen);
  }

  async revive(): Promise<void> {
    const sets = this.#probers.map(({ set }) => set);
    if ([...this.#probers, ...this.#listeners].some(({ isRunning }) => !isRunning))
      await this.keep(sets, heardIn(this.links));
  }

  proberOf({ probe, netns, target }: ProbePart[number]): Prober | undefined {
    return probe
      ? this.#probers.find(({ set }) => set.netns === netns && set.targets.includes(target))
      : undefined;
  }

  /** Links that this end probes in both families. */
  families(): Map<number, FamilyAnswers> {
    return new Map(
      this.links.flatMap((link): [number, FamilyAnswers][] => {
        const prober = this.proberOf(link);
        if (!prober || link.target6 === null) return [];
        return [[link.id, { v4: prober.answers(link.target), v6: prober.answers(link.target6) }]];
      }),
    );
  }

  answers(): Map<number, boolean> {
    const now = performance.now();
    for (const listener of this.#listeners) listener.listen(now);
    return new Map(
      this.links.flatMap((link): [number, boolean][] => {
        const answer = this.#answersNow(link, now);
        return answer === null ? [] : [[link.id, answer]];
      }),
    );
  }

  /** As of the last answers. */
  received(): Map<string, number> {
    return new Map(this.#listeners.flatMap(({ received }) => [...received]));
  }

  #answersNow(link: ProbePart[number], now: number): boolean | null {
    if (link.probe) return this.proberOf(link)?.answers(link.target) ?? null;
    const listener = this.#listeners.find(({ netns }) => netns === link.netns);
    return listener?.answers(link.interfaceName, now) ?? null;
  }
}

/** Measures links from the end that is told to, and listens at the other (dataplane section 9). */
export const createProbes = (device: Device): Probes => {
  const watch = new Watch();
  const meter = new LinkMeter(device.run);
  const watchers = new Set<() => void>();
  const changed = () => {
    for (const notify of watchers) notify();
  };
  const paths = new PathMtus(device.run, () => performance.now(), changed);
  const ipv6 = new Ipv6Monitor();
  /** Not awaited: it takes seconds, and the watch over what died must not wait for it. */
  const size = () => {
    const known = watch.answers();
    paths
      .round(watch.links.filter(({ id }) => known.get(id) === true))
      .catch((error: unknown) =>
        device.log.warn({ why: reasonOf(error) }, "path MTU could not be measured"),
      );
  };
  return {
    name: "probe",
    pick: pickProbes,
    validate: async () => {},
    observe: async () => ({ links: watch.links, running: watch.running }),
    plan: planProbes,
    run: async (step, part) => {
      watch.links = part;
      paths.keep(new Set(part.map(({ id }) => id)));
      await watch.keep(step.sets, heardIn(part));
    },
    measures: () =>
      meter.measure(watch.links, (link) => watch.proberOf(link)?.metrics(link.target) ?? null),
    verdicts: () => watch.answers(),
    received: () => watch.received(),
    pathMtus: () => paths.limits,
    deadIpv6: () => ipv6.dead,
    watchPaths: (notify) => {
      watchers.add(notify);
      return () => watchers.delete(notify);
    },
    linesChanged: () => paths.pathsChanged(),
    tend: async () => {
      size();
      if (ipv6.take(watch.families(), performance.now())) changed();
      await watch.revive();
    },
    stop: () => watch.keep([], []),
  };
};
