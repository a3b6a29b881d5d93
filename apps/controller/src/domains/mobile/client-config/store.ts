import {
  type clientConfigDraft,
  noClientConfig,
} from "@weft/contract/domains/mobile/client-config.ts";
import { parsePrefix } from "@weft/contract/rules/address.ts";
import { sql } from "kysely";
import type { z } from "zod";
import { poolCollision, warnOfTunnelEnds } from "#domains/devices/public.ts";
import type { Context } from "#kernel/api.ts";
import { refuseField } from "#kernel/refuse.ts";
import { unwritten } from "#kernel/row-version.ts";

export type ClientService = z.output<typeof clientConfigDraft>;
type Placed = ClientService & { readonly port: number | null; readonly rowVersion: string };

const nothingPlaced: Placed = { ...noClientConfig, port: null, rowVersion: unwritten };

/** The service of an enterprise as set; null: none is set. `lock` keeps it until COMMIT. */
export async function findService(
  ctx: Context,
  groupid: number,
  lock = false,
): Promise<Placed | null> {
  const { rows } = await sql<Placed>`
    select enabled as enable, space_id as "netSpaceId", pop_id as "popId", pool::text as "ipPool",
      port, host as "serverHost", dns, routes, tx_bps as "defaultTxbps", rx_bps as "defaultRxbps",
      terminal_types as "allowTerminalTypes", row_version::text as "rowVersion"
    from client_service where enterprise_id = ${groupid} ${lock ? sql`for update` : sql``}`.execute(
    ctx.db,
  );
  return rows[0] ?? null;
}

/** Accounts with a key, whoever made them. */
const countClients = async (ctx: Context, groupid: number): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select weft.client_load(${groupid})::int as n`.execute(ctx.db);
  return rows[0]?.n ?? 0;
};

/** The service of an enterprise, with how many accounts have a key. */
export async function readService(
  ctx: Context,
  groupid: number,
): Promise<Placed & { readonly clients: number }> {
  const [found, clients] = await Promise.all([
    findService(ctx, groupid),
    countClients(ctx, groupid),
  ]);
  return { ...(found ?? nothingPlaced), clients };
}

/** The space must be the enterprise's own, and the POP in it. */
async function requirePlace(ctx: Context, groupid: number, draft: ClientService): Promise<void> {
  const { netSpaceId, popId } = draft;
  if (netSpaceId === null)
    return popId === null ? undefined : refuseField("netSpaceId", "required");
  const { rows } = await sql<{ hasPop: boolean }>`
    select exists (select from space_member m
      where m.space_id = s.id and m.node_id = ${popId} and m.kind = 'pop') as "hasPop"
    from net_space s where s.id = ${netSpaceId} and s.enterprise_id = ${groupid}`.execute(ctx.db);
  if (!rows[0]) refuseField("netSpaceId", "unknown");
  if (popId !== null && !rows[0].hasPop) refuseField("popId", "unknown");
}

/** Addresses of clients must not be those of a site of the space, nor of other clients. */
async function refuseOverlap(
  ctx: Context,
  enterpriseId: number,
  { netSpaceId: spaceId, ipPool: pool }: ClientService,
): Promise<void> {
  if (spaceId === null || pool === null) return;
  const other = await poolCollision(ctx, { enterpriseId, spaceId, pool });
  if (other) refuseField("ipPool", "overlap", { value: other.network, other: other.siteName });
  const place = { spaceIds: [spaceId] };
  await warnOfTunnelEnds(ctx, place, [{ path: "ipPool", network: pool }]);
}

/** Addresses of a pool that clients may have: without network, POP and broadcast. */
const roomOf = (ipPool: string): number => 2 ** (32 - (parsePrefix(ipPool)?.length ?? 32)) - 3;

/** Gives every client an address of another pool, in the order of their ids. */
async function renumber(ctx: Context, groupid: number, ipPool: string | null): Promise<void> {
  const clients = ipPool === null ? 0 : await countClients(ctx, groupid);
  const room = ipPool === null ? 0 : roomOf(ipPool);
  if (clients > room) refuseField("ipPool", "tooMany", { max: room });
  await sql`select weft.renumber_clients(${groupid}, ${ipPool}::inet)`.execute(ctx.db);
}

/** Keeps its port as long as it stays on its POP; clients have it in their configurations. */
async function portFor(ctx: Context, popId: number | null, old: Placed | null) {
  if (popId === null) return null;
  if (old?.popId === popId && old.port !== null) return old.port;
  const { rows } = await sql<{ port: number | null }>`
    select weft.free_client_port(${popId}) as port`.execute(ctx.db);
  return rows[0]?.port ?? refuseField("popId", "tooMany", { max: 1_820 });
}

/**
 * Writes the service of an enterprise whole; another pool gives its clients other addresses.
 * @returns what it was before.
 */
export async function writeService(
  ctx: Context,
  groupid: number,
  draft: ClientService,
): Promise<ClientService> {
  const old = await findService(ctx, groupid, true);
  await requirePlace(ctx, groupid, draft);
  const isSame =
    old?.netSpaceId === draft.netSpaceId &&
    old.ipPool === draft.ipPool &&
    old.enable === draft.enable;
  if (!isSame) await refuseOverlap(ctx, groupid, draft);
  const values = {
    enabled: draft.enable,
    space_id: draft.netSpaceId,
    pop_id: draft.popId,
    pool: draft.ipPool,
    port: await portFor(ctx, draft.popId, old),
    host: draft.serverHost,
    dns: draft.dns,
    routes: draft.routes,
    tx_bps: draft.defaultTxbps,
    rx_bps: draft.defaultRxbps,
    terminal_types: draft.allowTerminalTypes,
  };
  await ctx.db
    .insertInto("client_service")
    .values({ enterprise_id: groupid, ...values })
    .onConflict((conflict) =>
      conflict.column("enterprise_id").doUpdateSet({ ...values, updated_at: sql`now()` }),
    )
    .execute();
  if ((old?.ipPool ?? null) !== draft.ipPool) await renumber(ctx, groupid, draft.ipPool);
  const { port: _, rowVersion: __, ...before } = old ?? nothingPlaced;
  return before;
}

/** POPs that admit the clients of some enterprises, by enterprise. */
export async function servicePops(
  ctx: Context,
  enterpriseIds: readonly number[],
): Promise<Map<number, number>> {
  const { rows } = await sql<{ groupid: number; popId: number }>`
    select enterprise_id as groupid, pop_id as "popId" from client_service
    where enterprise_id = any(${[...new Set(enterpriseIds)]}::bigint[])
      and pop_id is not null and enabled`.execute(ctx.db);
  return new Map(rows.map(({ groupid, popId }) => [groupid, popId]));
}

/**
 * The lowest free address of an enterprise's pool; null: it has no pool, or the pool is full.
 * Locks the service until COMMIT, so that no other account gets the same one.
 */
export async function freeAddress(ctx: Context, groupid: number): Promise<string | null> {
  const service = await findService(ctx, groupid, true);
  if (!service?.ipPool) return null;
  const taken = sql`select address from weft.client_addresses(${groupid}) as one (address)`;
  // Beside what is taken there is room, or the pool is full: nothing else need be looked at.
  const { rows } = await sql<{ address: string | null }>`
    select host(min(one.address)) as address from (
      select set_masklen(network(${service.ipPool}::inet)::inet, 32) + 2 as address
      union all select t.address + 1 from (${taken}) t
    ) one
    where one.address not in (${taken}) and one.address << ${service.ipPool}::inet
      and one.address <> set_masklen(broadcast(${service.ipPool}::inet), 32)`.execute(ctx.db);
  return rows[0]?.address ?? null;
}
