import { afterAll, beforeAll, expect, test } from "vitest";
import { TrialMachine } from "#drivers/trial/host.ts";
import { renderSpace } from "./render.ts";

let machine: TrialMachine;
beforeAll(async () => {
  machine = await TrialMachine.create();
}, 30_000);
afterAll(() => machine?.remove(), 30_000);

/** A hub's links, four networks behind each. */
const rules = (links: number): string =>
  renderSpace(null, {
    peers: [],
    sources: Array.from({ length: links }, (_, at) => ({
      interfaceName: `wl${at + 1}`,
      networks: [0, 1, 2, 3].map((one) => `10.${at >> 6}.${(at & 63) * 4 + one}.0/25`),
    })),
  });
const load = async (text: string): Promise<number> => {
  const startedAt = performance.now();
  await machine.run(["nft", "-f", "-"], { input: text });
  return performance.now() - startedAt;
};

test("rules of thousands of sources are loaded again as quickly as the first time", async () => {
  const text = rules(2_500);
  const first: number[] = [];
  const again: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    first.push(await load(text));
    again.push(await load(text));
    await machine.run(["nft", "delete", "table", "inet", "weft"]);
  }
  expect(Math.min(...again) / Math.min(...first)).toBeLessThan(4);
}, 60_000);

test("a set that was emptied by hand is whole again, and one that has become empty is", async () => {
  await load(rules(2));
  await machine.run(["nft", "flush", "set", "inet", "weft", "s_link4"]);
  await load(rules(2));
  const held = () => machine.run(["nft", "list", "set", "inet", "weft", "s_link4"]);
  expect(await held()).toContain('"wl2" . 10.0.7.0/25');
  await load(rules(1));
  expect(await held()).not.toContain('"wl2"');
});
