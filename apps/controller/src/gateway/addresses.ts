import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Logger } from "pino";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { repeat } from "#kernel/repeat.ts";

/** A third of the time after which a gateway counts as gone (weft.join_gateway_addresses). */
const intervalMs = 30_000;

/**
 * Keeps this gateway's addresses in the list that claims name, beside those of other gateways, for as
 * long as it runs.
 * @param addresses as WEFT_EDGE_ADDRESSES gives them.
 * @returns what takes them out again.
 */
export async function keepAddresses(
  pools: Pools<Database>,
  addresses: readonly string[],
  logger: Logger,
): Promise<{ close(): Promise<void> }> {
  const process = randomUUID();
  const { db } = pools.gateway;
  const note = async (): Promise<undefined> => {
    await sql`select weft.note_gateway(${process}, ${[...addresses]}::text[])`.execute(db);
  };
  await note();
  const noting = repeat("addresses", intervalMs, note, logger);
  return {
    async close() {
      await noting.close();
      // A database that is away does not keep a gateway from its end: the row ages.
      await sql`select weft.forget_gateway(${process})`
        .execute(db)
        .catch((error: unknown) =>
          logger.warn({ err: error }, "the addresses of this gateway could not be withdrawn"),
        );
    },
  };
}
