/** Flows of a simulated site: its hosts use a few services now and then. */
import { addressOf } from "@weft/contract/rules/address.ts";
import type { Machine } from "#drivers/driver.ts";
import { FlowRecords } from "#drivers/flows/records.ts";
import type { Clock } from "#edge/clock.ts";
import { seededFraction } from "./seeded.ts";

/** Documentation ranges (RFC 5737). */
const services = [
  { destination: "198.51.100.200", destinationPort: 443, protocol: 6, bytes: 900_000 },
  { destination: "203.0.113.90", destinationPort: 443, protocol: 17, bytes: 4_000_000 },
  { destination: "198.51.100.53", destinationPort: 53, protocol: 17, bytes: 400 },
] as const;

const windowMs = 15_000;
/** Flows of a LAN in a window, at most. */
const maxFlows = 3;
const maxSeconds = 90;

export interface FlowPlace {
  isRecording(): boolean;
  /** Addresses of its LANs, with length. */
  lans(): readonly string[];
}

export const simulatedFlows = (
  seed: number,
  clock: Pick<Clock, "monotonic">,
  { isRecording, lans }: FlowPlace,
): Machine["flows"] => {
  const records = new FlowRecords(() => clock.monotonic());
  let window = Math.floor(clock.monotonic() / windowMs);
  const invent = (lan: string, index: number): void => {
    const chance = (key: number) => seededFraction(seed, window, index, key);
    const { bytes, ...service } = services[Math.floor(chance(1) * services.length)] ?? services[0];
    const inBytes = Math.round(bytes * (0.2 + chance(2)));
    records.ended(
      {
        ...service,
        id: `${window} ${index}`,
        source: addressOf(lan).replace(/\d+$/, String(20 + Math.floor(chance(3) * 200))),
        sourcePort: 32_768 + Math.floor(chance(4) * 28_000),
        inBytes,
        outBytes: Math.round(inBytes * 0.1),
        seconds: 1 + Math.floor(chance(5) * maxSeconds),
        timeout: null,
      },
      0,
    );
  };
  const catchUp = (): void => {
    const now = Math.floor(clock.monotonic() / windowMs);
    if (now === window) return;
    window = now;
    if (!isRecording()) return;
    const networks = lans().filter((lan) => lan.includes("."));
    records.follow(networks);
    for (const lan of networks) {
      const count = Math.floor(seededFraction(seed, window, 0) * (maxFlows + 1));
      for (let index = 0; index < count; index += 1) invent(lan, index);
    }
  };
  return {
    first: (max) => {
      catchUp();
      return records.first(max);
    },
    forget: (count, dropped) => records.forget(count, dropped),
    get size() {
      return records.size;
    },
    get dropped() {
      return records.dropped;
    },
  };
};
