import { expect, test } from "vitest";
import type { Bucket } from "#metrics-store/store.ts";
import { linePoints } from "./rules.ts";

const none = {
  in_rate: null,
  out_rate: null,
  rtt_ms: null,
  jitter_ms: null,
  loss_percent: null,
  cpu_percent: null,
  memory_percent: null,
};
const bucket = (at: number, values: Partial<typeof none> | null): Bucket => ({
  at,
  values: values && { ...none, ...(values as Record<string, number>) },
});

test("a line's points carry the worst of its links, and gaps stay gaps", () => {
  const line = [
    bucket(0, { in_rate: 5 as never, out_rate: 6 as never }),
    bucket(30, null),
    bucket(60, { in_rate: 7 as never }),
  ];
  const links = [
    [bucket(0, { rtt_ms: 10 as never, loss_percent: 2 as never }), bucket(30, null)],
    [
      bucket(0, { rtt_ms: 40 as never, loss_percent: 0 as never }),
      bucket(30, { rtt_ms: 9 as never }),
    ],
  ];
  expect(linePoints(line, links)).toEqual([
    { time: new Date(0), inRate: 5, outRate: 6, delay: 40, loss: 2 },
    { time: new Date(30), inRate: null, outRate: null, delay: 9, loss: null },
    { time: new Date(60), inRate: 7, outRate: null, delay: null, loss: null },
  ]);
});
