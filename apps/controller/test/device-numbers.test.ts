/** The largest and the smallest number that the contract takes from a device, in each place of each message, is one that is kept. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fromEdge } from "@weft/contract/device/v1/messages.ts";
import { cpeLeases } from "@weft/contract/domains/devices/host-lease.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FakeEdge } from "./fake-edge.ts";
import { type LoopWorld, loopWorld, type Site } from "./loop-world.ts";

let world: LoopWorld;
let site: Site;
let edge: FakeEdge;
beforeAll(async () => {
  world = await loopWorld({ pollMs: 60_000 });
  site = await world.addSite();
  edge = await world.enrolled(site);
}, 120_000);
afterAll(() => world.close());

const large = [
  Number.MAX_VALUE,
  2 ** 53 - 1,
  2 ** 53 - 2 ** 40,
  8.64e15,
  253_402_300_799_999,
  1e13,
  3_155_760_000_000,
  2 ** 32 - 1,
  2 ** 31 - 1,
  2_592_000_000,
  3_600_000,
  65_535,
  100,
  1,
];
const small = [Number.MIN_VALUE, 1e-45, 1e-38, 1e-9, 1e-6, 0.001];

const folder = path.join(import.meta.dirname, "../../../packages/contract/src/device/v1/samples");
const samples = readdirSync(folder)
  .filter((file) => file.startsWith("edge-") && file !== "edge-hello.json")
  .map((file) => JSON.parse(readFileSync(path.join(folder, file), "utf8")) as object);

type Place = readonly (string | number)[];
/** Where numbers are in a message. */
function numbersOf(value: unknown, place: Place = []): Place[] {
  if (typeof value === "number") return [place];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    numbersOf(one, [...place, Array.isArray(value) ? Number(name) : name]),
  );
}
function replaced(value: unknown, [name, ...rest]: Place, by: number): unknown {
  if (name === undefined) return by;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  copy[name] = replaced(copy[name], rest, by);
  return copy;
}

/** What became of a message on a socket of its own; "kept" with all that was sent before it. */
async function sent(message: object): Promise<string> {
  const line = await edge.connect();
  line.send(message);
  line.send(edge.hello("", "a".repeat(22)));
  const { text } = await line.seek("refused");
  await line.closed;
  return text === "a second hello" ? "kept" : text;
}

test("and the list of leases is shown", { timeout: 300_000 }, async () => {
  const problems: string[] = [];
  let tried = 0;
  for (const sample of samples) {
    const own = { ...sample, ...("serialNumber" in sample && { serialNumber: site.sn }) };
    for (const place of numbersOf(own)) {
      for (const candidates of [large, small]) {
        const taken = (number: number) => fromEdge.safeParse(replaced(own, place, number)).success;
        const number = candidates.find(taken);
        if (number === undefined) continue;
        tried += 1;
        const outcome = await sent(replaced(own, place, number) as object);
        const about = `${Reflect.get(sample, "type")} ${place.join(".")} = ${number}`;
        // Names links, states and commands that the device does not have.
        if (outcome.startsWith("the controller")) problems.push(`${about}: ${outcome}`);
        if (Reflect.get(sample, "type") !== "leases") continue;
        const { code } = await world.api.get(cpeLeases.path, { id: site.id }, world.admin);
        if (code !== 0) problems.push(`${about}: leases are answered with ${code}`);
      }
    }
  }
  expect(problems).toEqual([]);
  expect(tried).toBeGreaterThan(60);
});
