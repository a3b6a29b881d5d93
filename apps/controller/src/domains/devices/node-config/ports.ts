import type { cpePortById } from "@weft/contract/domains/devices/cpe-config.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { type RawBuilder, sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";

type Port = OutputOf<typeof cpePortById>;

interface PortRecord {
  readonly id: number;
  readonly enterprise_id: number;
  readonly node_id: number;
  readonly name: string;
  readonly role: "wan" | "lan";
  readonly speed_mbps: number | null;
  readonly remark: string;
  readonly seen: { readonly up: boolean; readonly address: string | null } | null;
}

const toPort = (row: PortRecord): Port => ({
  id: row.id,
  cpeId: row.node_id,
  name: row.name,
  role: row.role,
  status: row.seen ? Number(row.seen.up) : null,
  speed: row.speed_mbps,
  address: row.seen?.address ?? null,
  remark: row.remark,
});

/** Ports with what the device last reported of each. */
async function read(ctx: Context, where: RawBuilder<unknown>): Promise<PortRecord[]> {
  const { rows } = await sql<PortRecord>`
    select p.*, (select one from jsonb_array_elements(s.lines) one
      where one ->> 'interfaceName' = p.name limit 1) as seen
    from cpe_port p left join node_status s on s.node_id = p.node_id
    where ${where} order by p.role desc, p.name limit 100`.execute(ctx.db);
  return rows;
}

export async function portsOf(ctx: Context, nodeId: number): Promise<Port[]> {
  return (await read(ctx, sql`p.node_id = ${nodeId}`)).map(toPort);
}

const callersPort = (ctx: Context, id: number) => sql`p.id = ${id} and p.node_id in (
  select n.id from node n where ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")})`;

/** A port of one of the caller's own nodes. */
export async function findPort(ctx: Context, id: number): Promise<Port | undefined> {
  const [row] = await read(ctx, callersPort(ctx, id));
  return row && toPort(row);
}

/** Writes what people note about a port. @returns the row before it; null: not there, or not theirs */
export async function writePort(
  ctx: Context,
  id: number,
  values: { readonly speed_mbps: number | null; readonly remark: string },
): Promise<PortRecord | null> {
  const [old] = await read(ctx, callersPort(ctx, id));
  if (!old) return null;
  await ctx.db
    .updateTable("cpe_port")
    .set({ ...values, updated_at: sql`now()` })
    .where("id", "=", id)
    .execute();
  return old;
}
