import { setTimeout as sleep } from "node:timers/promises";
import { nodeState } from "@weft/contract/domains/delivery/node-state.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import type { Caller } from "@weft/contract/kernel/client.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import { type LaterChange, laterChanges } from "./fleet.ts";

const pollMs = 1_000;
/** A site that is not confirmed by then stays without its changes. */
const patienceMs = 120_000;

const unsaid = { groupid: 1, cpeId: 1, popId: 1 };

async function isConfirmed(call: Caller, id: number): Promise<boolean> {
  const { data } = await call(nodeState, { id });
  return data.confirmed !== null && data.confirmed.serial === data.desired?.serial;
}

async function change(call: Caller, nCpeID: number, laterChange: LaterChange): Promise<void> {
  if ("route" in laterChange) {
    const own = { nCpeID, destination: laterChange.route, nextHop: laterChange.via };
    await call(staticRoute.ops.add, { ...samples.staticroute.valid(unsaid), ...own });
    return;
  }
  await call(lanSection.ops.add, {
    ...samples.lansection.valid(unsaid),
    nCpeID,
    interfaceName: laterChange.lan,
    network: laterChange.network,
    network6: null,
  });
}

/**
 * Makes the later changes one after the other, each once the one before runs at its site.
 * @param sites ids by name.
 */
export async function makeLaterChanges(
  call: Caller,
  sites: ReadonlyMap<string, number>,
  signal: AbortSignal,
): Promise<void> {
  for (const laterChange of laterChanges) {
    const id = sites.get(laterChange.site);
    if (id === undefined) throw new Error(`the demonstration names an unknown ${laterChange.site}`);
    const end = Date.now() + patienceMs;
    while (!signal.aborted && Date.now() < end && !(await isConfirmed(call, id)))
      await sleep(pollMs, undefined, { signal });
    if (signal.aborted) return;
    await change(call, id, laterChange);
  }
}
