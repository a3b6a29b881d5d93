import { sql } from "kysely";
import type { TestApi } from "./api.ts";

/** A gateway has listened for an hour, and goes on doing so: what devices are silent about, they are silent about themselves. */
export async function addListeningGateway({ database }: TestApi): Promise<void> {
  await sql`insert into weft.gateway_process (id, addresses, started_at, seen_at)
    values (gen_random_uuid(), '{}', now() - interval '1 hour', 'infinity')`.execute(
    database.pools.owner.db,
  );
}
