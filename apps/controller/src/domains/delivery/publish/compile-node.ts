import { createHash } from "node:crypto";
import { sectionFormatFor } from "@weft/contract/device/v1/additions.ts";
import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import { maxSectionBytes } from "@weft/contract/device/v1/messages.ts";
import { type SectionFormat, sectionKind, toSections } from "@weft/contract/device/v1/sections.ts";
import { divideSpace } from "@weft/contract/device/v1/space-parts.ts";
import type { SpaceSection, StateHead } from "@weft/contract/device/v1/state.ts";
import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import { nodeLock, withTriedLock } from "#db/locks.ts";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import {
  circuitGroundOf,
  compile,
  mergedPolicyOf,
  policyGroundOf,
  policySectionOf,
  type ReadView,
  readView,
} from "#domains/delivery/compile/public.ts";
import { type NewContent, writeContents } from "#domains/delivery/contents/public.ts";
import { isHeld } from "#domains/delivery/guard/public.ts";
import { readPinned, restored } from "#domains/delivery/history/public.ts";
import {
  addCauses,
  adoptVersion,
  publishState,
  settleIssue,
  supersedeStates,
  type TemplateInState,
} from "#domains/delivery/lifecycle/public.ts";
import type { StoredCause, StoredUnmet } from "#domains/delivery/schema.ts";
import {
  circuitFindings,
  groupFindings,
  oneFamilyFindings,
  type PolicyFinding,
  policyFindings,
  siteFindings,
  siteModeFindings,
  siteNameFindings,
  writePolicyFindings,
} from "#domains/policies/policy-finding/public.ts";
import type { Vault } from "#kernel/vault.ts";
import { SectionTooLarge } from "./compile-failure.ts";

type Trx = Transaction<Database>;

/**
 * `held`: a state that waits for an operator. `busy`: another process compiles this node now.
 * `gone`: there is nothing to compile any more.
 */
export type Compiled = "published" | "held" | "unchanged" | "gone" | "busy";

export const sha256 = (value: unknown): string =>
  createHash("sha256").update(canonicalJson(value)).digest("hex");

/**
 * Compiles one marked node and publishes its state, unless it equals the newest one. All is read on
 * one snapshot, taken after the lock: two compiles of a node cannot overtake each other. The mark
 * ends only if its generation is still the one that the snapshot saw.
 * @throws Error when something could not be read or the state breaks the protocol: nothing is
 * written, the mark stays.
 */
export function compileNode(
  pools: Pools<Database>,
  nodeId: number,
  vault?: Vault,
): Promise<Compiled> {
  return pools.worker.db.connection().execute(async (db) => {
    const run = () => compileLocked(db, nodeId, vault);
    return (await withTriedLock(db, nodeLock(nodeId), run)) ?? "busy";
  });
}

async function compileLocked(
  db: Kysely<Database>,
  nodeId: number,
  vault?: Vault,
): Promise<Compiled> {
  const { result, generation } = await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (trx) => {
      const mark = await trx
        .selectFrom("compile_mark")
        .selectAll()
        .where("node_id", "=", nodeId)
        .executeTakeFirst();
      if (!mark) return { result: "gone" as const, generation: 0 };
      const view = await readView(trx, nodeId, vault);
      if (!view) return { result: "gone" as const, generation: mark.generation };
      const present = compile(view);
      const pinned = await readPinned(trx, nodeId);
      const state = pinned ? restored(pinned.state, present) : present;
      const format = sectionFormatFor(view.capabilities);
      const sections = toSections(state, format);
      const restores = pinned?.serial ?? null;
      const { enterpriseId } = view;
      const findings = findingsOf(view, restores);
      const about = { nodeId, enterpriseId, template: view.template ?? null };
      await writePolicyFindings(trx, about, findings);
      const followed = view.template && { ...view.template, unmet: unmetOf(findings) };
      const template = pinned ? pinned.template : (followed ?? null);
      const result = await publish(trx, {
        nodeId,
        enterpriseId,
        sections,
        format,
        restores,
        template,
        ...causeOf(mark),
      });
      return { result, generation: mark.generation };
    });
  const { numDeletedRows } = await db
    .deleteFrom("compile_mark")
    .where("node_id", "=", nodeId)
    .where("generation", "=", generation)
    .executeTakeFirstOrThrow();
  // It was marked again meanwhile: nodes that wait for their first compile come before it.
  if (numDeletedRows === 0n) {
    await db
      .updateTable("compile_mark")
      .set({ at: sql<Date>`greatest(at, now())` })
      .where("node_id", "=", nodeId)
      .execute();
  }
  return result;
}

/** What of the node's policies does not act as asked for. */
export function findingsOf(view: ReadView, heldAt: number | null): PolicyFinding[] {
  const ground = policyGroundOf(view, heldAt);
  return [
    ...policyFindings(mergedPolicyOf(view), ground),
    ...siteFindings(view.siteObjects, ground),
    ...siteModeFindings(view.node, ground),
    ...groupFindings(view, ground),
    ...circuitFindings(view.circuits ?? [], () => circuitGroundOf(view, policySectionOf(view))),
    ...siteNameFindings(view.node, view.site?.names ?? [], ground),
    ...(view.site ? oneFamilyFindings(view.site, ground) : []),
  ];
}

/** Objects of a template that a task names one by one; one more line says how many there are. */
const maxUnmet = 50;

/** What of the template does not act as asked for; null: nothing. */
export function unmetOf(findings: readonly PolicyFinding[]): StoredUnmet | null {
  const rows = findings.flatMap(({ level, effect, denies: _, ...object }) =>
    level !== "template" || effect === "replaced" ? [] : [{ ...object, effect }],
  );
  if (rows.length === 0) return null;
  const [cannot, others] = [true, false].map((is) =>
    rows.filter(({ effect }) => (effect === "cannot") === is),
  ) as [typeof rows, typeof rows];
  const first = [...cannot, ...others].slice(0, maxUnmet);
  return { cannot: cannot.length, count: rows.length, rows: first };
}

const causeOf = (mark: Selectable<Database["compile_mark"]>) => ({
  cause: mark.cause,
  causes: mark.causes,
  createdBy: mark.created_by,
});

export interface NewState {
  readonly nodeId: number;
  readonly enterpriseId: number;
  readonly sections: ReadonlyMap<string, unknown>;
  readonly format: SectionFormat;
  /** Serial of the past state that it brings back. */
  readonly restores: number | null;
  /** The template version that is in it; null: none. */
  readonly template: TemplateInState | null;
  readonly cause: string;
  readonly causes: readonly StoredCause[];
  readonly createdBy: number;
}

/**
 * Writes the state unless its sections are those of the newest one that still counts. One that
 * removes more than its changes account for is kept back.
 */
export async function publish(
  trx: Trx,
  state: NewState,
): Promise<"published" | "held" | "unchanged"> {
  const { nodeId } = state;
  const contents = [...state.sections].map(([name, content]) =>
    storedAs(name, content, state.format),
  );
  const hashes = Object.fromEntries(contents.map(({ name, hash }) => [name, hash] as const));
  const states = trx
    .selectFrom("node_state")
    .select(["sections", "epoch", "serial", "outcome", "enterprise_id"])
    .select(["template_id", "template_version", "template_unmet"])
    .where("node_id", "=", nodeId)
    .orderBy("epoch", "desc")
    .orderBy("serial", "desc");
  const newest = await states.limit(1).executeTakeFirst();
  const { epoch } = await trx.selectFrom("installation").select("epoch").executeTakeFirstOrThrow();
  const same = newest && canonicalJson(newest.sections) === canonicalJson(hashes);
  // A cancelled state was never sent, and after a restore the device may run a state that is no longer known:
  // in both cases the same sections have to be published once more. So they are for another enterprise than the newest
  // state's: it does not see that one.
  const isOwn = newest?.enterprise_id === state.enterpriseId;
  const isThere = same && isOwn && newest.outcome !== "superseded" && newest.epoch === epoch;
  const current = isThere ? newest : null;
  // Rows may be read before the change that reports them: what was kept back is weighed again.
  const isFinal = current !== null && current.outcome !== "held";
  const held = !isFinal && (await isHeld(trx, state, hashes));
  if (current && (isFinal || held)) {
    if (isOther(current, state.template)) await adoptVersion(trx, nodeId, current, state.template);
    // A task of the same version was opened since, and nothing else will end it: nothing goes out.
    else if (state.template) await settleIssue(trx, nodeId, current);
    if (held) await addCauses(trx, nodeId, current, state.causes);
    return "unchanged";
  }
  const head: StateHead = { epoch, serial: (newest?.serial ?? 0) + 1, sections: hashes };
  // One edit on a hub of thousands of links changes one bucket of its sections: what the newest state has is stored.
  const kept = new Set(isOwn ? Object.values(newest.sections) : []);
  const news = contents.filter(({ hash }) => !kept.has(hash));
  await writeContents(trx, state, news);
  // A state that may still go is not given up for one that may never go.
  await supersedeStates(trx, nodeId, held ? ["held"] : ["waiting", "held"]);
  await publishState(trx, { ...state, head, digest: sha256(head), held });
  return held ? "held" : "published";
}

/**
 * The name of a section's content.
 * @throws SectionTooLarge: it could never travel, and is better not written
 */
export function hashOf(name: string, content: unknown): string {
  const text = canonicalJson(content);
  const bytes = Buffer.byteLength(text);
  if (bytes > maxSectionBytes) throw new SectionTooLarge(name, bytes, maxSectionBytes);
  return createHash("sha256").update(text).digest("hex");
}

/** A section as it is stored and sent. */
export function storedAs(
  name: string,
  content: unknown,
  { dividesNetworks = false }: SectionFormat,
): NewContent {
  if (!dividesNetworks || sectionKind(name) !== "space")
    return { name, hash: hashOf(name, content), content };
  const { index, parts } = divideSpace(content as SpaceSection, sha256);
  return { name, hash: hashOf(name, index), content: index, parts };
}

/** True when the state was made for another template version than this one, or less or more of it acts. */
const isOther = (
  newest: Pick<
    Selectable<Database["node_state"]>,
    "template_id" | "template_version" | "template_unmet"
  >,
  template: TemplateInState | null,
): boolean =>
  newest.template_id !== (template?.templateId ?? null) ||
  newest.template_version !== (template?.version ?? null) ||
  canonicalJson(newest.template_unmet) !== canonicalJson(template?.unmet ?? null);
