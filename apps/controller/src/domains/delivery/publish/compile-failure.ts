/** Why a compile failed, as shown on the node's page. */
import { sql } from "kysely";
import { ZodError } from "zod";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { HiddenIntent } from "#domains/delivery/compile/public.ts";
import type { StoredFailure } from "#domains/delivery/schema.ts";

/** A section that is larger than a message to the device. */
export class SectionTooLarge extends Error {
  readonly section: string;
  readonly bytes: number;
  readonly max: number;

  constructor(section: string, bytes: number, max: number) {
    super(`section ${section} has ${bytes} bytes, at most ${max} travel`);
    this.section = section;
    this.bytes = bytes;
    this.max = max;
  }
}

/** Classifies the failure; what only the controller's log may say stays there. Pure. */
export function failureOf(error: unknown): StoredFailure {
  if (error instanceof SectionTooLarge) {
    return { code: "tooLarge", detail: `${error.section} ≤ ${error.max} B` };
  }
  if (error instanceof HiddenIntent) return { code: "unreadable", detail: error.tables.join(", ") };
  if (!(error instanceof ZodError)) return { code: "broken", detail: "" };
  const issue = error.issues.find(({ code }) => code === "too_big");
  return issue?.code === "too_big"
    ? { code: "tooLarge", detail: `${issue.path.join(" ")} ≤ ${issue.maximum}` }
    : { code: "broken", detail: error.issues[0]?.path.join(" ") ?? "" };
}

/** Notes it at the mark of the node; a newer change starts without it. */
export async function noteFailure(
  pools: Pools<Database>,
  mark: { readonly node_id: number; readonly generation: number },
  error: unknown,
): Promise<void> {
  await pools.worker.db
    .updateTable("compile_mark")
    .set({
      failure: JSON.stringify(failureOf(error)),
      failed_at: sql`case when failure is null then now() else failed_at end`,
    })
    .where("node_id", "=", mark.node_id)
    .where("generation", "=", mark.generation)
    .execute();
}
