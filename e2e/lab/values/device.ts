/** The site of the campaign of values: what its devices run, what they report, and whether packets pass. */
import { setTimeout as sleep } from "node:timers/promises";
import { nodeState } from "@weft/contract/domains/delivery/node-state.ts";
import { nodeFindings } from "@weft/contract/domains/policies/policy-finding.ts";
import { mustExec } from "@weft/lab/enter.ts";
import { ping } from "@weft/lab/ping.ts";
import type { SitePair } from "@weft/lab/site-pair.ts";
import type { World } from "@weft/lab/world.ts";
import type { Findings } from "./reported.ts";

/** What an edge sets up on a machine, by the commands that list it. */
const listings = {
  links: ["ip", "-o", "link"],
  addresses: ["ip", "-o", "addr"],
  routes: ["ip", "route", "show", "table", "all"],
  routes6: ["ip", "-6", "route", "show", "table", "all"],
  rules: ["ip", "rule"],
  rules6: ["ip", "-6", "rule"],
  tables: ["nft", "list", "ruleset"],
} as const;

/** Behind the other site; no nasty value names it. */
export const hostB = "10.1.2.100";
/** Only end what hangs, also on a busy machine. */
const deadlineMs = 120_000;
const packetsMs = 30_000;

const statesWithoutEffect: readonly string[] = ["failed", "refused", "reverted"];

/** Problems of which a busy machine may be the cause are told apart: they are looked at once more. */
export interface Problem {
  readonly text: string;
  readonly isSlow: boolean;
}

/** Equal lines are told apart, so that one too many of them is seen. */
const numbered = (sorted: readonly string[]): readonly string[] =>
  sorted.map((line, at) => {
    const before = at - sorted.indexOf(line);
    return before === 0 ? line : `${line} (${before + 1})`;
  });

export class Device {
  readonly #world: World;
  readonly #pair: SitePair;
  #stock: readonly string[] = [];

  constructor(world: World, pair: SitePair) {
    this.#world = world;
    this.#pair = pair;
  }

  /** What the kernel holds, without counters and what comes and goes by itself. */
  async #stockNow(): Promise<readonly string[]> {
    const texts = await Promise.all(
      Object.entries(listings).map(async ([kind, command]) => {
        const text = await mustExec(this.#world.lab, "cpe1", command);
        return text
          .split("\n")
          .map((line) =>
            line
              .replace(/^\d+: | nodad| tentative| qdisc \S+/g, "")
              .replace(/counter packets \d+ bytes \d+/g, "counter")
              .replace(/packets \d+ bytes \d+/g, "")
              .replace(/valid_lft.*|expires \S+|timeout \S+|nhid \d+|@if\d+|handle \d+/g, "")
              .replace(/elements = .*/, "")
              // A site that was out of its term has other links afterwards, and the same of them.
              .replace(/\bwl\d+/g, "wl")
              .trim(),
          )
          .filter((line) => line !== "" && !/^[\d.:a-f, /}{-]+$/.test(line))
          .map((line) => `${kind} ${line}`);
      }),
    );
    return numbered(texts.flat().sort());
  }

  /** Whether the firewall has a rule about host B. */
  async deniesHostB(): Promise<boolean> {
    const rules = await mustExec(this.#world.lab, "cpe1", listings.tables);
    return rules.includes(hostB);
  }

  /** Waits until the newest states of all devices have ended. */
  async settled(): Promise<Problem | null> {
    const { pop, cpe1, cpe2 } = this.#pair;
    for (const id of [cpe1, pop, cpe2]) {
      const problem = await this.#nodeSettled(id);
      if (problem)
        return id === cpe1 ? problem : { ...problem, text: `node ${id} ${problem.text}` };
    }
    return null;
  }

  async #nodeSettled(id: number): Promise<Problem | null> {
    const end = performance.now() + deadlineMs;
    for (;;) {
      const { data } = await this.#world.call(nodeState, { id });
      const { desired, runningSerial, compiling, uncompiled } = data;
      if (uncompiled !== null)
        return {
          text: `cannot be compiled: ${uncompiled.code} ${uncompiled.detail}`,
          isSlow: false,
        };
      if (!compiling && desired) {
        // One that is held may have been compiled before the change that accounts for it: it is weighed again.
        if (statesWithoutEffect.includes(desired.outcome))
          return { text: `state ${desired.outcome}: ${desired.reason ?? ""}`, isSlow: false };
        if (desired.outcome === "confirmed" && runningSerial === desired.serial) return null;
      }
      if (performance.now() > end) {
        const where = `${desired?.serial} ${desired?.outcome}, runs ${runningSerial}`;
        return { text: `not confirmed: ${where}`, isSlow: true };
      }
      await sleep(200);
    }
  }

  /** What the devices and the controller report about the site's objects. */
  async findings(): Promise<Findings> {
    const { pop, cpe1 } = this.#pair;
    const found = await Promise.all(
      [
        { cpeId: cpe1, popId: null },
        { cpeId: null, popId: pop },
      ].map(async (owner) => {
        const id = owner.cpeId ?? pop;
        const { data } = await this.#world.call(nodeState, { id });
        const page = { ...owner, page: 1, limit: 1_000 };
        const { data: policies } = await this.#world.call(nodeFindings, page);
        return { device: data.findings, policies };
      }),
    );
    return {
      device: found.flatMap(({ device }) => device),
      policies: found.flatMap(({ policies }) => policies),
    };
  }

  async #answers(): Promise<number> {
    const { lab } = this.#world;
    const result = await ping(lab, "hosta", hostB, { count: 3, intervalMs: 50 }).catch(() => null);
    return result?.received ?? 0;
  }

  async answersNow(): Promise<boolean> {
    return (await this.#answers()) === 3;
  }

  /** Whether all packets reach host B (or none does) before a deadline. */
  async answersWithin(wanted: boolean): Promise<boolean> {
    const end = performance.now() + packetsMs;
    for (;;) {
      const received = await this.#answers();
      if (wanted ? received === 3 : received === 0) return true;
      if (performance.now() > end) return false;
    }
  }

  /** Begins with the device as it is now: every wave has to leave it so. */
  async begin(): Promise<void> {
    const problem = await this.settled();
    if (problem) throw new Error(`the lab does not settle: ${problem.text}`);
    if (!(await this.answersWithin(true))) throw new Error("host A does not reach host B");
    // IPv6 addresses come last: the kernel looks for others that have them, first.
    const end = performance.now() + deadlineMs;
    for (let same = 0; same < 5; ) {
      if (performance.now() > end) throw new Error("the lab does not come to rest");
      await sleep(1_000);
      const now = await this.#stockNow();
      same = now.join() === this.#stock.join() ? same + 1 : 0;
      this.#stock = now;
    }
  }

  /** What the device has now and had not when the campaign began, and what it lost. */
  #differences(now: readonly string[]): readonly string[] {
    const [had, has] = [new Set(this.#stock), new Set(now)];
    const more = now.filter((line) => !had.has(line)).map((line) => `+${line}`);
    const less = this.#stock.filter((line) => !has.has(line)).map((line) => `-${line}`);
    return [...more, ...less];
  }

  async differences(): Promise<readonly string[]> {
    return this.#differences(await this.#stockNow());
  }

  /** What is left on the device although everything of a wave was removed. */
  async leftOver(): Promise<Problem | null> {
    const problem = await this.settled();
    if (problem) return { ...problem, text: `after the removal: ${problem.text}` };
    const end = performance.now() + deadlineMs;
    for (;;) {
      const now = await this.#stockNow();
      const differences = this.#differences(now);
      if (differences.length === 0) return null;
      if (performance.now() > end) {
        this.#stock = now;
        return { text: `left over: ${differences.slice(0, 6).join(" | ")}`, isSlow: false };
      }
      await sleep(300);
    }
  }
}
