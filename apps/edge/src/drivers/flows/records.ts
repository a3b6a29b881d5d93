/** Records of flows until the controller has them. Pure but for what it remembers. */
import { BlockList, isIPv6 } from "node:net";
import { type FlowRecord, maxFlowBytes, maxFlowMs } from "@weft/contract/device/v1/flow-records.ts";
import { parsePrefix } from "@weft/contract/rules/address.ts";
import type { SeenFlow } from "./parse.ts";

/** Records that wait for a controller; the oldest are dropped when there are more. */
const maxWaiting = 20_000;
const droppedTogether = 5_000;
/** Ms after which a flow that goes on has a record of what it moved so far (the active timeout of RFC 7011). */
export const cutMs = 300_000;

interface Waiting extends Omit<FlowRecord, "ago"> {
  readonly endedAt: number;
}

/** What of a flow has a record already. */
interface Cut {
  readonly inBytes: number;
  readonly outBytes: number;
  readonly at: number;
}

/** A whole number as a message may contain it: one that may not would end each connection that it is sent on. */
const within = (value: number, max: number): number =>
  Math.min(max, Math.max(0, Math.round(value)));

/** One look at all flows that go on. */
interface Round {
  /** False: the flow need not be given. */
  needs(id: string, seconds: number): boolean;
  take(flow: SeenFlow): void;
  /** @param isWhole all were given: what is remembered of others is forgotten */
  end(isWhole: boolean): void;
}

const kindOf = (address: string): "ipv4" | "ipv6" => (isIPv6(address) ? "ipv6" : "ipv4");

export class FlowRecords {
  readonly #now: () => number;
  #inside = new BlockList();
  readonly #cuts = new Map<string, Cut>();
  /** Flows that ended since the present round began; null: there is none. */
  #over: Set<string> | null = null;
  #waiting: Waiting[] = [];
  /** Of the oldest one that is not dropped. Dropped ones go together: each time would move all that wait. */
  #first = 0;
  #dropped = 0;

  /** @param now ms on a clock that no time change moves */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Flows of hosts in these networks have records from now on. */
  follow(networks: readonly string[]): void {
    this.#inside = new BlockList();
    for (const network of networks) {
      const length = parsePrefix(network)?.length;
      const [address = ""] = network.split("/");
      if (length !== undefined) this.#inside.addSubnet(address, length, kindOf(address));
    }
  }

  /** Nothing is recorded any more, also of what is still on its way from the kernel. */
  stop(): void {
    this.#inside = new BlockList();
    this.#cuts.clear();
  }

  /** @param ago ms since its last packet */
  ended(flow: SeenFlow, ago: number): void {
    const cut = this.#cuts.get(flow.id);
    this.#cuts.delete(flow.id);
    this.#over?.add(flow.id);
    const hasMoved = !cut || flow.inBytes !== cut.inBytes || flow.outBytes !== cut.outBytes;
    if (hasMoved && this.#isOfHost(flow)) this.#add(flow, cut, ago);
  }

  /** To be given all flows that go on, one after the other, and ended in any case. */
  round(): Round {
    const there = new Set<string>();
    const over = new Set<string>();
    this.#over = over;
    return {
      needs: (id, seconds) => seconds * 1_000 >= cutMs || this.#cuts.has(id),
      take: (flow) => {
        // It has its last record: the list of the kernel was made before it ended.
        if (over.has(flow.id)) return;
        there.add(flow.id);
        this.#cutOff(flow);
      },
      end: (isWhole) => {
        if (this.#over === over) this.#over = null;
        if (!isWhole) return;
        for (const id of this.#cuts.keys()) if (!there.has(id)) this.#cuts.delete(id);
      },
    };
  }

  #cutOff(flow: SeenFlow): void {
    const cut = this.#cuts.get(flow.id);
    const isLong = flow.seconds * 1_000 >= cutMs;
    const hasMoved = flow.inBytes !== (cut?.inBytes ?? 0) || flow.outBytes !== (cut?.outBytes ?? 0);
    if (!isLong || !hasMoved || !this.#isOfHost(flow)) return;
    this.#add(flow, cut, 0);
    const { inBytes, outBytes } = flow;
    this.#cuts.set(flow.id, { inBytes, outBytes, at: this.#now() });
  }

  /** Records that were dropped since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  get size(): number {
    return this.#waiting.length - this.#first;
  }

  /** The oldest ones. Those that no message may contain any more are dropped. */
  first(max: number): FlowRecord[] {
    const now = this.#now();
    const { size } = this;
    this.#waiting = this.#waiting
      .slice(this.#first)
      .filter(({ endedAt }) => now - endedAt <= maxFlowMs);
    this.#first = 0;
    this.#dropped += size - this.size;
    return this.#waiting.slice(0, max).map(({ endedAt, ...record }) => ({
      ...record,
      ago: Math.max(0, Math.round(now - endedAt)),
    }));
  }

  /** The controller has so many of the oldest. @param dropped as it was when they were read */
  forget(count: number, dropped: number): void {
    // Those that were dropped meanwhile were the oldest.
    const left = Math.max(0, count - (this.#dropped - dropped));
    this.#waiting.splice(0, this.#first + left);
    this.#first = 0;
  }

  #isOfHost({ source, destination }: SeenFlow): boolean {
    return [source, destination].some((address) => this.#inside.check(address, kindOf(address)));
  }

  #add(flow: SeenFlow, cut: Cut | undefined, ago: number): void {
    const endedAt = this.#now() - ago;
    const { id: _, seconds, timeout: __, ...rest } = flow;
    const lasted = cut ? endedAt - cut.at : seconds * 1_000 - ago;
    this.#waiting.push({
      ...rest,
      inBytes: within(flow.inBytes - (cut?.inBytes ?? 0), maxFlowBytes),
      outBytes: within(flow.outBytes - (cut?.outBytes ?? 0), maxFlowBytes),
      // Of one that began before this program, or before the clock of the device was set, it may be years.
      durationMs: within(lasted, maxFlowMs),
      endedAt,
    });
    if (this.size <= maxWaiting) return;
    this.#first += 1;
    this.#dropped += 1;
    if (this.#first < droppedTogether) return;
    this.#waiting.splice(0, this.#first);
    this.#first = 0;
  }
}
