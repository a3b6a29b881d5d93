/** Records the flows of a site's hosts from what connection tracking reports (conntrack(8)). */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import type { Device } from "#drivers/device.ts";
import { type Driver, phases, type Step } from "#drivers/driver.ts";
import { monitor } from "#drivers/monitor.ts";
import { isSetByUs, setKernelSetting } from "#drivers/underlay/kernel-settings.ts";
import { reasonOf } from "#edge/log.ts";
import { parseFlow } from "./parse.ts";
import { type FlowsPart, pickFlows } from "./part.ts";
import { cutMs, FlowRecords } from "./records.ts";

interface FlowsFound {
  /** What is recorded; null: nothing. */
  readonly part: FlowsPart;
  /** The kernel counts bytes and times of flows. */
  readonly counts: boolean;
  /** It does so because of this program, or one before it. */
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
  const one = { driver: "flows", phase: phases.probe } as const;
  if (part === null) {
    const summary = "no longer record flows";
    const isOver = found.part === null && !(found.counts && found.isOurs);
    return isOver ? [] : [{ ...one, kind: "end", summary }];
  }
  const isDone = found.counts && JSON.stringify(found.part) === JSON.stringify(part);
  const summary = "record flows of hosts";
  return isDone ? [] : [{ ...one, kind: "record", summary }];
};

/** Read for each flow: a file of the kernel, and settings may change. */
const timeoutMs = (name: string): number => {
  try {
    const text = readFileSync(`/proc/sys/net/netfilter/nf_conntrack_${name}`, "utf8");
    return Number(text) * 1_000;
  } catch {
    return 0;
  }
};

class Recorder {
  readonly records = new FlowRecords(() => performance.now());
  part: FlowsPart = null;
  readonly #device: Device;
  #end: (() => void) | null = null;
  #timers: NodeJS.Timeout[] = [];

  constructor(device: Device) {
    this.#device = device;
  }

  async record(part: NonNullable<FlowsPart>): Promise<void> {
    for (const key of settings) await setKernelSetting(this.#device, key, "1");
    this.part = part;
    this.#follow();
    this.#end ??= monitor(["conntrack", "-E", "-e", "DESTROY", "-b", buffer, ...output], (line) => {
      const flow = line === null ? null : parseFlow(line);
      if (flow) this.records.ended(flow, flow.timeout === null ? 0 : timeoutMs(flow.timeout));
    });
    if (this.#timers.length > 0) return;
    this.#timers = [
      setInterval(() => void this.#cut(), cutMs).unref(),
      setInterval(() => this.#follow(), prefixMs).unref(),
    ];
  }

  async end(): Promise<void> {
    this.stop();
    for (const key of settings) await setKernelSetting(this.#device, key, "0");
  }

  stop(): void {
    this.#end?.();
    this.#end = null;
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    this.part = null;
    this.records.forgetCuts();
  }

  /** With the networks that LANs have of delegated prefixes now. */
  #follow(): void {
    if (!this.part) return;
    const { networks, delegated } = this.part;
    const found = delegated.length > 0 ? networkInterfaces() : {};
    const now = delegated.flatMap((name) =>
      (found[name] ?? []).flatMap(({ address, cidr }) =>
        cidr === null || address.startsWith("fe80:") ? [] : cidr,
      ),
    );
    this.records.follow([...networks, ...now]);
  }

  async #cut(): Promise<void> {
    try {
      const read = async (family: string): Promise<string> =>
        this.#device.run(["conntrack", "-L", "-f", family, ...output]);
      const text = `${await read("ipv4")}\n${await read("ipv6")}`;
      this.records.goOn(text.split("\n").flatMap((line) => parseFlow(line) ?? []));
    } catch (error) {
      this.#device.log.warn({ why: reasonOf(error) }, "flows that go on were not recorded");
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
      isOurs: await isSetByUs(device, settings[0]),
    }),
    plan: planFlows,
    run: (step, part) =>
      step.kind === "end" || part === null ? recorder.end() : recorder.record(part),
    stop: async () => recorder.stop(),
  };
};
