/** What happens to a simulated device after its first state was confirmed. */
import { type Clock, sleep } from "#edge/clock.ts";
import type { Edge } from "#state/edge.ts";
import type { EdgeStore } from "#store/edge-store.ts";
import type { Character } from "./character.ts";
import type { SimulatedMachine } from "./machine.ts";

interface Scene {
  readonly clock: Clock;
  readonly store: EdgeStore;
  readonly machine: SimulatedMachine;
  readonly edge: Pick<Edge, "stop">;
}

const pollMs = 1_000;
/** Long enough to be seen well before it happens. */
const afterMs = 20_000;

/** Removes what a user of the device might remove: the first setting of its routing. */
const drift = ({ machine }: Scene): void => {
  const routing = machine.drivers.find(({ name }) => name === "routing");
  const [first] = routing?.applied.keys() ?? [];
  if (first !== undefined) routing?.applied.delete(first);
};

/** Lets what a character says happen, once; ends with the signal. */
export const runIncidents = async (
  character: Character,
  scene: Scene,
  signal: AbortSignal,
): Promise<void> => {
  if (!character.drifts && !character.leaves) return;
  const { clock, store, edge } = scene;
  while (!signal.aborted && (await store.confirmed.read()).kind !== "value")
    await sleep(clock, pollMs, signal);
  await sleep(clock, afterMs, signal);
  if (signal.aborted) return;
  if (character.drifts) drift(scene);
  if (character.leaves) await edge.stop();
};
