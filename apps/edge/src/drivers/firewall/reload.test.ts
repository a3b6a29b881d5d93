import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRun } from "#drivers/exec.ts";
import { renderSpace } from "./render.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "weft-reload-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A hub's links, four networks behind each, as a file. */
const rules = (links: number): string => {
  const file = join(folder, `${links}.nft`);
  const sources = Array.from({ length: links }, (_, at) => ({
    interfaceName: `wl${at + 1}`,
    networks: [0, 1, 2, 3].map((one) => `10.${at >> 6}.${(at & 63) * 4 + one}.0/25`),
  }));
  writeFileSync(file, renderSpace(null, { peers: [], sources }));
  return file;
};
/** In a network namespace that ends with the commands. */
const run = (...commands: string[]): Promise<string> =>
  createRun()(["unshare", "--net", "sh", "-ec", commands.join("\n")], { timeoutMs: 120_000 });
/** Seconds of processor time of the commands: what else runs on the machine does not count. */
const cost = async (...commands: string[]): Promise<number> => {
  const shown = await run(...commands, "times");
  const [, ofChildren = ""] = shown.trim().split("\n").slice(-2);
  const parts = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );
};

test("rules of thousands of sources are loaded again as quickly as the first time", async () => {
  const load = `nft -f ${rules(2_500)}`;
  const once: number[] = [];
  const twice: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    once.push(await cost(load));
    twice.push(await cost(load, load));
  }
  expect(Math.min(...twice) / Math.min(...once)).toBeLessThan(4);
}, 300_000);

test("a set that was emptied by hand is whole again, and what has left the document leaves it", async () => {
  const [list, two, one] = ["nft list set inet weft s_link4", rules(2), rules(1)];
  const flushed = await run(
    `nft -f ${two}`,
    "nft flush set inet weft s_link4",
    `nft -f ${two}`,
    list,
  );
  expect(flushed).toContain('"wl2" . 10.0.7.0/25');
  expect(await run(`nft -f ${two}`, `nft -f ${one}`, list)).not.toContain('"wl2"');
});
