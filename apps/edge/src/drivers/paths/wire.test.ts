import { describe, expect, it } from "vitest";
import { Arrivals } from "./arrivals.ts";
import { decodeProbe, encodeProbe, type Probe, probeBytes } from "./wire.ts";

const probe = (sequence: number, change: Partial<Probe> = {}): Probe => ({
  link: 7,
  boot: 4_000_000_000,
  sequence,
  sentAt: (sequence * 10_000) % 2 ** 32,
  periodMs: 100,
  isUrgent: false,
  report: null,
  ...change,
});
const report = {
  boot: 1,
  era: 2,
  highest: 4_294_967_295,
  received: 9,
  returned: 17,
  heldUs: 250,
  jitterUs: 3,
};

describe("a packet", () => {
  it.each([probe(1), probe(2, { report, isUrgent: true })])("is read as it was written", (one) => {
    const bytes = encodeProbe(one);
    expect(bytes).toHaveLength(probeBytes);
    expect(decodeProbe(bytes)).toEqual(one);
  });

  it("of anything else is none, and what a later version appends is passed over", () => {
    const bytes = encodeProbe(probe(1));
    expect(decodeProbe(bytes.subarray(0, probeBytes - 1))).toBeNull();
    expect(decodeProbe(Buffer.alloc(probeBytes))).toBeNull();
    const later = Buffer.from(bytes);
    later[2] = 2;
    expect(decodeProbe(later)).toBeNull();
    expect(decodeProbe(Buffer.concat([bytes, Buffer.alloc(8)]))).toEqual(probe(1));
  });
});

describe("what came", () => {
  const arrivals = (sequences: readonly number[], all = new Arrivals()): Arrivals => {
    for (const [at, sequence] of sequences.entries()) all.take(probe(sequence), at * 10_000, true);
    return all;
  };

  it("counts each number once, late ones too, and over the end of the numbers", () => {
    expect(arrivals([1, 2, 5, 5, 3, 3, 4]).report(0)).toMatchObject({ highest: 5, received: 5 });
    const last = 2 ** 32 - 1;
    expect(arrivals([last - 1, last, 0, 2, 1]).report(0)).toMatchObject({
      highest: 2,
      received: 5,
    });
  });

  it("starts again with another run of the sender, and after it stood still", () => {
    const all = arrivals([1, 2, 3]);
    const { era } = all.report(0) ?? {};
    all.take(probe(1, { boot: 5 }), 0, true);
    expect(all.report(0)).toMatchObject({ boot: 5, received: 1, highest: 1 });
    expect(all.report(0)?.era).not.toBe(era);
    all.forget();
    expect(all.report(0)).toBeNull();
  });

  it("has the jitter of RFC 3550, without that of packets which waited for the program", () => {
    const all = new Arrivals();
    for (let sequence = 1; sequence < 400; sequence += 1)
      all.take(probe(sequence), sequence * 10_000 + (sequence % 2) * 4_000, true);
    expect(all.report(0)?.jitterUs).toBeGreaterThan(3_900);
    const punctual = new Arrivals();
    for (let sequence = 1; sequence < 400; sequence += 1)
      punctual.take(probe(sequence), sequence * 10_000 + (sequence % 2) * 4_000, false);
    expect(punctual.report(0)?.jitterUs).toBe(0);
  });
});
