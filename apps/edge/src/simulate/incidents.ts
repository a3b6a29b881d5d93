/** What happens to a simulated device after its first state was confirmed, and is so ever after. */
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

/** Removes what a user of the device might remove: the first setting of its routing. @returns whether it had one */
const drift = ({ machine }: Scene): boolean => {
  const routing = machine.drivers.find(({ name }) => name === "routing");
  const [first] = routing?.applied.keys() ?? [];
  return first !== undefined && routing?.applied.delete(first) === true;
};

/**
 * Lets what a character says happen, once; ends with the signal. A device that is started again, and has nothing of what was
 * changed on it, is as it was left before its first heartbeat.
 */
export const runIncidents = async (
  character: Character,
  scene: Scene,
  signal: AbortSignal,
): Promise<void> => {
  if (!character.drifts && !character.leaves) return;
  const { clock, store, edge } = scene;
  const isAgain = (await store.confirmed.read()).kind === "value";
  while (!signal.aborted && (await store.confirmed.read()).kind !== "value")
    await sleep(clock, pollMs, signal);
  if (!isAgain) await sleep(clock, afterMs, signal);
  while (character.drifts && !signal.aborted && !drift(scene)) await sleep(clock, pollMs, signal);
  if (signal.aborted) return;
  if (character.leaves) await edge.stop();
};
