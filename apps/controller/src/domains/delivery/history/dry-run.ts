import { toSections } from "@weft/contract/device/v1/state.ts";
import { type Pools, scopedSnapshot } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { compile, readView } from "#domains/delivery/compile/public.ts";
import type { Vault } from "#kernel/vault.ts";
import type { Sections } from "./difference.ts";
import type { OwnNode } from "./store.ts";

/**
 * What would be compiled for a node now; null when it is gone. The caller's own scope may not reach
 * the other ends of its links, so this reads as the worker does: whose node it is must have been
 * checked before, and the type asks for it.
 */
export async function presentSections(
  { pools, vault }: { readonly pools: Pools<Database>; readonly vault: Vault },
  node: OwnNode,
): Promise<Sections | null> {
  const scope = { kind: "enterprises", ids: [], userId: null, ownOnly: false } as const;
  const view = await scopedSnapshot(pools.worker, scope, (trx) => readView(trx, node.id, vault));
  if (!view) return null;
  // Also of a node that is held at a past state: what its rows say is asked.
  return toSections(compile({ ...view, node: { ...view.node, announced: null } }));
}
