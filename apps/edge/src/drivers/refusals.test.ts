import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Refusals } from "./refusals.ts";
import { lanName, lineName } from "./without-refused.ts";

const line = {
  slot: 2,
  interfaceName: "wan2",
  addressing: "static" as const,
  ip: "203.0.113.2/24",
  gateway: "203.0.113.1",
};

test("what is refused is out for a minute, then for two, up to an hour, and until the next state at most", () => {
  let now = 0;
  const refusals = new Refusals(null, () => now);
  const isOut = () => refusals.all.map((one) => one.isOut);
  const pauses: number[] = [];
  for (let tries = 0; tries < 8; tries += 1) {
    refusals.add(lanName("10.1.1.1/24"), "no", null);
    expect(isOut()).toEqual([true]);
    const from = now;
    while (isOut()[0]) now += 60_000;
    pauses.push((now - from) / 60_000);
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  refusals.add(lanName("10.1.1.1/24"), "no", null);
  refusals.retry();
  expect(isOut()).toEqual([false]);
  refusals.settle();
  expect(refusals.all).toEqual([]);
});

test("a WAN link keeps what it was first, also over a restart of the program", () => {
  const folder = mkdtempSync(join(tmpdir(), "weft-refusals-"));
  const file = join(folder, "refused.json");
  let now = 0;
  const refusals = new Refusals(file, () => now);
  refusals.add(lineName("wan2"), "no", line);
  refusals.retry();
  refusals.add(lineName("wan2"), "still not", { ...line, gateway: "203.0.113.9" });
  const [kept] = new Refusals(file, () => now).all;
  expect(kept).toEqual({ ...lineName("wan2"), why: "still not", instead: line, isOut: true });
  now = 3_600_000;
  refusals.settle();
  expect(new Refusals(file, () => now).all).toEqual([]);
  rmSync(folder, { recursive: true, force: true });
});
