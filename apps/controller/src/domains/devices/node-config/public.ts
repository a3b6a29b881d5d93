import { sql } from "kysely";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";

/** What is kept of the records of flows that a device sends. */
export interface FlowRecording {
  /** The audit log of the site is on. */
  readonly isOn: boolean;
  /** When it left its former enterprise, whose hosts it recorded until then; null: it was of no other. */
  readonly since: Date | null;
}

export async function readFlowRecording(
  { gateway }: Pools<Database>,
  node: number,
): Promise<FlowRecording> {
  const { rows } = await sql<{ is_on: boolean; since: Date | null }>`
    select is_on, since from weft.flow_recording(${node})`.execute(gateway.db);
  const [found] = rows;
  return { isOn: found?.is_on ?? false, since: found?.since ?? null };
}

export { configBatches } from "./batch.ts";
