/** What another version of its template would make of a node: the same pure compile, and nothing written. */
import { toSections } from "@weft/contract/device/v1/state.ts";
import type { Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import { compile, type PublishedTemplate, readView } from "#domains/delivery/compile/public.ts";
import {
  type Difference,
  differences,
  readPinned,
  restored,
} from "#domains/delivery/history/public.ts";
import type { StoredFailure, StoredUnmet } from "#domains/delivery/schema.ts";
import { failureOf } from "./compile-failure.ts";
import { findingsOf, unmetOf } from "./compile-node.ts";
import { sectionText } from "./state-content.ts";

export interface NodePreview {
  /** What it follows now; null: no version of a template. */
  readonly followed: PublishedTemplate | null;
  /** Null: no device has reported what it can, and what does not act will be known then. */
  readonly unmet: StoredUnmet | null;
  readonly isKnown: boolean;
  /** What changes in the state of the device; none while it cannot be compiled. */
  readonly objects: readonly Difference[];
  /** Why there would be no state; null: there would be one. */
  readonly failure: StoredFailure | null;
}

/** What a version would make of the node; none: what it would be without a template. @throws what a compile throws */
function sectionsOf(
  view: NonNullable<Awaited<ReturnType<typeof readView>>>,
  pinned: Awaited<ReturnType<typeof readPinned>>,
  template: PublishedTemplate | null,
) {
  const present = compile({ ...view, template });
  const sections = toSections(pinned ? restored(pinned.state, present) : present);
  for (const [name, content] of sections) sectionText(name, content);
  return sections;
}

/**
 * Why no state of a node could be made with this version of its template; null: one could. On one snapshot of the
 * worker, as `previewNode`.
 */
export async function failureWith(
  trx: Transaction<Database>,
  nodeId: number,
  template: PublishedTemplate | null,
): Promise<StoredFailure | null> {
  try {
    const view = await readView(trx, nodeId);
    if (view) sectionsOf(view, await readPinned(trx, nodeId), template);
    return null;
  } catch (error) {
    return failureOf(error);
  }
}

/**
 * Previews a version on a node in the caller's transaction, which must be on one snapshot of the worker;
 * its scope becomes that node's, so whose node it is must have been checked before. Null: there is no such node.
 */
export async function previewNode(
  trx: Transaction<Database>,
  nodeId: number,
  template: PublishedTemplate,
): Promise<NodePreview | null> {
  const view = await readView(trx, nodeId);
  if (!view) return null;
  const pinned = await readPinned(trx, nodeId);
  const findings = findingsOf({ ...view, template }, pinned?.serial ?? null);
  const followed = view.template ?? null;
  const about = { followed, unmet: unmetOf(findings), isKnown: view.capabilities !== null };
  try {
    const objects = differences(
      sectionsOf(view, pinned, followed),
      sectionsOf(view, pinned, template),
    );
    return { ...about, objects, failure: null };
  } catch (error) {
    return { ...about, objects: [], failure: failureOf(error) };
  }
}
