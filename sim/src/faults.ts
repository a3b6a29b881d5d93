/** Faults of a world in its rough part, generated from its seed. */
import { type Chance, chanceOf } from "./chance.ts";
import type { PathMode } from "./network.ts";
import type { StateKind } from "./states.ts";
import type { World } from "./world.ts";

const kinds: readonly StateKind[] = [
  ...Array<StateKind>(9).fill("good"),
  ...Array<StateKind>(3).fill("light"),
  ...(["cut", "cut", "cutNew", "cutNew", "fail", "fail"] as const),
];

type Fault = (world: World, chance: Chance) => void;

const path =
  (mode: PathMode, maxMs: number): Fault =>
  (world, chance) => {
    const { node } = chance.pick(world.devices);
    const index = chance.integer(0, world.controllers.length - 1);
    const all = chance.happens(0.5) ? [...world.controllers.keys()] : [index];
    world.trace.add(`n${node} to ${all.map((one) => `c${one}`)}: ${mode}`);
    for (const one of all) world.network.setMode(node, one, mode);
    if (mode === "refuse" && chance.happens(0.6)) world.network.cut(node, null);
    world.clock.setTimeout(
      () => {
        for (const one of all) world.network.setMode(node, one, "up");
      },
      chance.between(2_000, maxMs),
    );
  };

const faults: readonly Fault[] = [
  path("refuse", 150_000),
  path("mute", 200_000),
  path("mute", 20_000),
  (world, chance) => {
    const { node } = chance.pick(world.devices);
    world.trace.add(`n${node} loses its connections`);
    world.network.cut(node, null);
  },
  (world, chance) => {
    const device = chance.pick(world.devices);
    const power = chance.happens(0.5);
    device.kill(power, power ? "without power" : "by force");
    world.clock.setTimeout(() => void device.start(), chance.between(1_000, 60_000));
  },
  (world, chance) => {
    const device = chance.pick(world.devices);
    device.dieAtChange(chance.integer(1, 40));
  },
  (world, chance) => {
    const index = chance.integer(0, world.controllers.length - 1);
    const controller = world.controllers[index];
    controller?.kill();
    if (chance.happens(0.7)) world.network.cut(null, index);
    world.clock.setTimeout(() => controller?.start(), chance.between(500, 90_000));
  },
  (world, chance) => {
    world.trace.add("the database is down");
    world.isStoreUp = false;
    world.clock.setTimeout(
      () => {
        world.trace.add("the database is up");
        world.isStoreUp = true;
      },
      chance.between(500, 150_000),
    );
  },
  (world, chance) => {
    const ms = chance.pick([-1, 1]) * chance.between(1_000, 86_400_000);
    chance.pick(world.devices).jumpWall(ms);
  },
];

/** Plans all of it on the world's clock. @returns ms at which the rough part ends */
export function planFaults(world: World, seed: number): number {
  const chance = chanceOf(seed, 2);
  const endMs = chance.between(120_000, 600_000);
  const at = (ms: number, work: () => void) => world.clock.setTimeout(work, ms);
  for (const { node } of world.devices) {
    at(chance.between(0, 20_000), () => world.publish(node, "good"));
    const changes = chance.integer(1, 5);
    for (let turn = 0; turn < changes; turn += 1) {
      const kind = chance.pick(kinds);
      at(chance.between(10_000, endMs), () => world.publish(node, kind));
    }
    const lists = chance.integer(0, 5);
    for (let turn = 0; turn < lists; turn += 1)
      at(chance.between(10_000, endMs), () => world.revise(node));
  }
  const count = chance.integer(1, 10);
  for (let turn = 0; turn < count; turn += 1) {
    const fault = chance.pick(faults);
    at(chance.between(0, endMs), () => {
      if (world.network.isRough) fault(world, chance);
    });
  }
  // What died in the middle of a write comes back by itself.
  for (let ms = 15_000; ms < endMs; ms += 15_000) {
    at(ms, () => {
      for (const device of world.devices) if (chance.happens(0.5)) void device.start();
    });
  }
  return endMs;
}
