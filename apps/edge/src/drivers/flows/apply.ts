/** Records the flows of a site's hosts from what connection tracking reports (conntrack(8)). */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import type { Device } from "#drivers/device.ts";
import { type Driver, phases, type Step } from "#drivers/driver.ts";
import { readLines } from "#drivers/exec.ts";
import { monitor } from "#drivers/monitor.ts";
import { giveBackSetting, isSetByUs, setKernelSetting } from "#drivers/underlay/kernel-settings.ts";
import { reasonOf } from "#edge/log.ts";
import { parseAge, parseFlow } from "./parse.ts";
import { cutMs, FlowRecords } from "./records.ts";
import { Timeouts } from "./timeouts.ts";

/** Null: nothing is recorded. */
type FlowsPart = {
  /** Networks of the site's hosts. */
  readonly networks: readonly string[];
  /** LANs whose IPv6 network comes and goes with a WAN link. */
  readonly delegated: readonly string[];
} | null;

/** Of the LANs, and of what is behind them: what the site announces. Everything else is the device's own. */
const pickFlows = (state: DesiredState | null): FlowsPart => {
  if (state?.system?.flowRecords !== true) return null;
  const { underlay, routings } = state;
  const lanNetworks = underlay.lans.flatMap(({ addresses }) => addresses.map(networkOf));
  const announced = routings
    .filter(({ netns }) => netns === null)
    .flatMap(({ announce }) => announce.map(networkOf));
  const all = new Set([...lanNetworks, ...announced].filter((network) => !network.endsWith("/0")));
  const delegated = underlay.lans.flatMap(({ interfaceName, ipv6 }) => (ipv6 ? interfaceName : []));
  return { networks: [...all].sort(), delegated: delegated.sort() };
};

interface FlowsFound {
  /** What is recorded; null: nothing. */
  readonly part: FlowsPart;
  /** The kernel counts bytes and times of flows. */
  readonly counts: boolean;
  /** This program, or one before it, has it do so: others may want the same. */
  readonly isOurs: boolean;
}

interface FlowsStep extends Step {
  readonly driver: "flows";
  readonly kind: "record" | "end";
}

export interface Flows extends Driver<FlowsPart, FlowsFound, FlowsStep> {
  readonly records: FlowRecords;
  stop(): Promise<void>;
}

/** The kernel counts only flows that begin after these are on. */
const settings = ["netfilter/nf_conntrack_acct", "netfilter/nf_conntrack_timestamp"] as const;
const output = ["-o", "extended,id,ktimestamp"] as const;
/** Bytes that the kernel keeps of events while this program is busy. */
const buffer = "8388608";
/** Ms between two looks at delegated prefixes. */
const prefixMs = 5_000;

const counts = async (): Promise<boolean> => {
  const texts = settings.map((key) => readFile(`/proc/sys/net/${key}`, "utf8").catch(() => ""));
  return (await Promise.all(texts)).every((text) => text.trim() === "1");
};

const planFlows = (part: FlowsPart, found: FlowsFound): FlowsStep[] => {
  const step = { driver: "flows", phase: phases.probe } as const;
  if (part === null) {
    const summary = "no longer record flows";
    const isOver = found.part === null && !found.isOurs;
    return isOver ? [] : [{ ...step, kind: "end", summary }];
  }
  const isDone = found.counts && JSON.stringify(found.part) === JSON.stringify(part);
  const summary = "record flows of hosts";
  return isDone ? [] : [{ ...step, kind: "record", summary }];
};

/** Ms that a list of the kernel's flows may take: it may have hundreds of thousands. */
const listMs = 60_000;
/** What conntrack(8) prints when the kernel had more to report than its buffer holds. */
const overrun = "ENOBUFS";

class Recorder {
  readonly records = new FlowRecords(() => performance.now());
  part: FlowsPart = null;
  readonly #device: Device;
  readonly #timeouts = new Timeouts(
    (name) => readFileSync(`/proc/sys/net/netfilter/nf_conntrack_${name}`, "utf8"),
    () => performance.now(),
  );
  #end: (() => void) | null = null;
  /** Ends of flows are read; false: that they are not is logged. */
  #isReading = true;
  /** How often since the last look at all flows the kernel had more ends than its buffer holds. */
  #overruns = 0;
  #timers: NodeJS.Timeout[] = [];

  constructor(device: Device) {
    this.#device = device;
  }

  async record(part: NonNullable<FlowsPart>): Promise<void> {
    for (const key of settings) await setKernelSetting(this.#device, key, "1");
    this.part = part;
    this.#follow();
    this.#end ??= monitor(
      ["conntrack", "-E", "-e", "DESTROY", "-b", buffer, ...output],
      (line) => this.#take(line),
      (text) => {
        if (text.includes(overrun)) this.#overruns += 1;
      },
    );
    if (this.#timers.length > 0) return;
    this.#timers = [
      setInterval(() => void this.#cut(), cutMs).unref(),
      setInterval(() => this.#follow(), prefixMs).unref(),
    ];
  }

  async end(): Promise<void> {
    this.stop();
    for (const key of settings) await giveBackSetting(this.#device, key);
  }

  /** @param line null: the tool ended, and flows end meanwhile that nobody reads of */
  #take(line: string | null): void {
    if (line === null) {
      if (this.#isReading)
        this.#device.log.warn({}, "flows that ended meanwhile were not recorded");
      this.#isReading = false;
      return;
    }
    this.#isReading = true;
    const flow = parseFlow(line);
    if (flow) this.records.ended(flow, flow.timeout === null ? 0 : this.#timeouts.of(flow.timeout));
  }

  stop(): void {
    this.#end?.();
    this.#end = null;
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    this.part = null;
    this.records.stop();
  }

  /** With the networks that LANs have of delegated prefixes now. */
  #follow(): void {
    if (!this.part) return;
    const { networks, delegated } = this.part;
    const interfaces = delegated.length > 0 ? networkInterfaces() : {};
    const now = delegated.flatMap((name) =>
      (interfaces[name] ?? []).flatMap(({ address, cidr }) =>
        cidr === null || address.startsWith("fe80:") ? [] : cidr,
      ),
    );
    this.records.follow([...networks, ...now]);
  }

  async #cut(): Promise<void> {
    const { log } = this.#device;
    const overruns = this.#overruns;
    this.#overruns = 0;
    if (overruns > 0) log.warn({ overruns }, "more flows ended at a time than could be recorded");
    const round = this.records.round();
    let isWhole = false;
    try {
      for (const family of ["ipv4", "ipv6"])
        await readLines(
          ["conntrack", "-L", "-f", family, ...output],
          (line) => {
            const age = parseAge(line);
            const flow = age && round.needs(age.id, age.seconds) ? parseFlow(line) : null;
            if (flow) round.take(flow);
          },
          listMs,
        );
      isWhole = true;
    } catch (error) {
      log.warn({ why: reasonOf(error) }, "flows that go on were not recorded");
    } finally {
      round.end(isWhole);
    }
  }
}

export const createFlows = (device: Device): Flows => {
  const recorder = new Recorder(device);
  return {
    name: "flows",
    records: recorder.records,
    pick: pickFlows,
    validate: async () => {},
    observe: async () => ({
      part: recorder.part,
      counts: await counts(),
      isOurs: (await Promise.all(settings.map((key) => isSetByUs(device, key)))).includes(true),
    }),
    plan: planFlows,
    run: (step, part) =>
      step.kind === "end" || part === null ? recorder.end() : recorder.record(part),
    stop: async () => recorder.stop(),
  };
};
