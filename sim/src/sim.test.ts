import { describe, expect, test } from "vitest";
import { readOptions } from "./options.ts";
import { runSeed } from "./run-seed.ts";
import { type PlantedFault, plantedFaults } from "./world.ts";

/** A busy machine needs far longer than the few seconds that this takes. */
const longMs = 300_000;

test("all invariants hold in the first seeds", { timeout: longMs }, async () => {
  for (let seed = 1; seed <= 150; seed += 1) {
    const { violation, tail } = await runSeed(seed);
    expect(violation, `seed ${seed}\n${tail.join("\n")}`).toBeNull();
  }
});

test("a seed is replayed exactly, and another is another world", { timeout: longMs }, async () => {
  const [one, again, other] = [await runSeed(12), await runSeed(12), await runSeed(13)];
  expect(again).toEqual(one);
  expect(other.digest).not.toBe(one.digest);
});

/** Texts of the invariants that each fault must break; the others would be a lucky find. */
const breaks: Record<PlantedFault, RegExp> = {
  noSync: /lost the journal|went from the confirmed|applied .* times/,
  forgetsJournal: /applied .* times|open task|no rest/,
  sendsFirst: /before that was committed/,
  reusesConnections: /which locks it out/,
  resendsReverted: /goes out (without a right to a retry|again too soon)/,
};
const tries = 200;

describe("a planted fault is found", () => {
  test.each(plantedFaults)("%s", { timeout: longMs }, async (fault) => {
    for (let seed = 1; seed <= tries; seed += 1) {
      const { violation } = await runSeed(seed, { fault });
      if (violation === null) continue;
      expect(violation).toMatch(breaks[fault]);
      return;
    }
    throw new Error(`not found in ${tries} seeds`);
  });
});

test("the command line", () => {
  expect(readOptions([])).toMatchObject({ from: 1, seeds: 10_000, only: null });
  expect(readOptions(["--seed", "7"])).toMatchObject({ only: 7 });
  expect(() => readOptions(["--seeds", "none"])).toThrow("--seeds none");
});
