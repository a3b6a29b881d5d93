import { chanceOf } from "./chance.ts";
import { planFaults } from "./faults.ts";
import { type PlantedFault, World } from "./world.ts";

export interface SeedResult {
  readonly seed: number;
  /** SHA-256 over all events; the same for the same seed and code. */
  readonly digest: string;
  /** The invariant that was violated; null: none. */
  readonly violation: string | null;
  /** The last events before a failure. */
  readonly tail: readonly string[];
  /** Minutes of simulated time. */
  readonly minutes: number;
}

export interface SeedOptions {
  readonly fault?: PlantedFault | null;
  /** Prints all events. */
  readonly print?: boolean;
}

/** The world must settle within this time after the end of all faults. */
const restMs = 2_400_000;
/** How much longer it is checked. */
const stillMs = 65_000;

/** Runs one seed until its world has settled, or an invariant is violated. */
export async function runSeed(seed: number, options: SeedOptions = {}): Promise<SeedResult> {
  const world = new World(seed, options.fault ?? null, options.print ?? false);
  const hasFailed = () => world.violation !== null;
  await world.build();
  const endMs = planFaults(world, seed);
  await world.clock.run(endMs, hasFailed);
  const last = new Map<number, number>();
  if (!hasFailed()) {
    world.heal();
    await world.clock.run(endMs + 5_000, hasFailed);
    const chance = chanceOf(seed, 3);
    for (const { node } of chance.happens(0.6) ? world.devices : []) {
      const head = world.publish(node, "good");
      if (head) last.set(node, head.serial);
    }
    // What is listed at rest arrives as well, with whichever state is the newest then.
    for (const { node } of chance.happens(0.5) ? world.devices : [])
      world.clock.setTimeout(() => world.revise(node), chance.between(1_000, 60_000));
  }
  await untilRest(world, world.clock.now + restMs, hasFailed);
  // A connection that is dead without either end noticing looks settled for a while.
  if (!hasFailed()) await world.clock.run(world.clock.now + stillMs, hasFailed);
  await untilRest(world, world.clock.now + restMs, hasFailed);
  for (const [node, serial] of hasFailed() ? [] : last) {
    const newest = world.rows.newest(node);
    // A list that cannot be a revision is a state after it.
    if (!newest || newest.head.serial < serial || newest.outcome !== "confirmed") {
      world.violate(`n${node} ended without its newest state, which is ${newest?.outcome}`);
    }
  }
  const { violation, minutes, trace } = world;
  return { seed, digest: trace.digest(), violation, tail: trace.tail, minutes };
}

async function untilRest(world: World, limit: number, hasFailed: () => boolean): Promise<void> {
  while (!hasFailed() && world.unrest() !== null) {
    if (world.clock.now >= limit) {
      world.violate(`no rest ${restMs / 60_000} minutes after the last fault: ${world.unrest()}`);
    } else await world.clock.run(world.clock.now + 5_000, hasFailed);
  }
}
