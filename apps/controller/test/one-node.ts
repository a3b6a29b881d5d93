/** What many nodes get in one transaction, of one node. */
import type { StateHead } from "@weft/contract/device/v1/state.ts";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import type { DeliveryTimes, DeviceView } from "#domains/delivery/deliver/delivery.ts";
import { keepDeliveries } from "#domains/delivery/deliver/requests.ts";
import { type Compiled, compileNodes } from "#domains/delivery/publish/compile-node.ts";

/** The head to send to a device now, of one node. */
export async function takeNext(
  pools: Pools<Database>,
  node: number,
  view: DeviceView,
  times: DeliveryTimes,
): Promise<StateHead | null> {
  const [settled] = await keepDeliveries(pools, [{ kind: "next", node, view, times }], true);
  return typeof settled === "object" && settled.isDone ? settled.answer.head : null;
}

/** Compiles one marked node, as `compileNodes`. @throws Error also what keeps it from being compiled */
export async function compileNode(pools: Pools<Database>, nodeId: number): Promise<Compiled> {
  const outcome = (await compileNodes(pools, [nodeId])).get(nodeId) ?? "busy";
  if (outcome instanceof Error) throw outcome;
  return outcome;
}
