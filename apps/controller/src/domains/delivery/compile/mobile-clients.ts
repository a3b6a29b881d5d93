/** People on the road as a POP sees them: the client services that it runs. */
import type { ClientSection } from "@weft/contract/device/v1/client.ts";
import { formatAddress, parsePrefix } from "@weft/contract/rules/address.ts";
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";

/** A line as clients call it. */
interface CalledLine {
  readonly slot: number;
  /** Bytes inside a tunnel of it. */
  readonly mtu: number;
  /** Null: not known. */
  readonly address: string | null;
}

export interface ViewClient {
  readonly id: number;
  readonly publicKey: string;
  readonly address: string;
  /** bit/s; null: no limit. */
  readonly txBps: number | null;
  readonly rxBps: number | null;
  readonly expireAt: Date | null;
}

/** One enterprise's service with the accounts that are admitted. */
export interface ViewService {
  readonly spaceId: number;
  readonly port: number;
  /** Network of the pool. */
  readonly pool: string;
  readonly clients: readonly ViewClient[];
}

/** The line of a POP that clients call: the first one whose address is known. */
export const calledLine = <Line extends CalledLine>(lines: readonly Line[]): Line | null =>
  [...lines].sort((a, b) => a.slot - b.slot).find(({ address }) => address !== null) ?? null;

/** The first address of a pool, with length: the POP's own. */
function ownAddress(pool: string): string {
  const prefix = parsePrefix(pool);
  if (!prefix) throw new Error(`not a pool: ${pool}`);
  return `${formatAddress(prefix.family, prefix.address + 1n)}/${prefix.length}`;
}

/** The section of one service; null while no client could call it. */
export function clientOf(
  node: { readonly kind: "cpe" | "pop"; readonly lines: readonly CalledLine[] },
  service: ViewService,
): ClientSection | null {
  const line = calledLine(node.lines);
  if (!line) return null;
  const { spaceId, port, pool, clients } = service;
  return {
    spaceId,
    netns: node.kind === "pop" ? `weft-s${spaceId}` : null,
    interfaceName: `wm${spaceId}`,
    listenPort: port,
    slot: line.slot,
    mtu: line.mtu,
    address: ownAddress(pool),
    peers: clients
      .map(({ id, publicKey, address, txBps, rxBps, expireAt }) => ({
        id,
        publicKey,
        address,
        down: txBps,
        up: rxBps,
        until: expireAt === null ? null : expireAt.getTime(),
      }))
      .sort((a, b) => a.id - b.id),
  };
}

type ServiceRow = Omit<ViewService, "clients"> & { readonly node: number };
type ClientRow = ViewClient & { readonly node: number; readonly spaceId: number };

/**
 * Services of each POP whose space it is in, in the caller's scope. An account of another POP, of a
 * kind that is not admitted, disabled or expired is left out.
 */
export async function readServices(
  trx: Transaction<Database>,
  nodeIds: readonly number[],
): Promise<ReadonlyMap<number, readonly ViewService[]>> {
  const services = sql`
    select s.* from client_service s
    join space_member m on m.space_id = s.space_id and m.node_id = s.pop_id
    where s.pop_id = any(${[...nodeIds]}::bigint[])
      and s.enabled and s.pool is not null and s.port is not null`;
  const [selected, clients] = await Promise.all([
    sql<ServiceRow>`
      select pop_id as node, space_id as "spaceId", port, pool::text from (${services}) s`.execute(
      trx,
    ),
    sql<ClientRow>`
      select s.pop_id as node, s.space_id as "spaceId", a.id, a.public_key as "publicKey",
        host(a.address) as address, coalesce(a.tx_bps, s.tx_bps) as "txBps",
        coalesce(a.rx_bps, s.rx_bps) as "rxBps", a.expire_at as "expireAt"
      from (${services}) s join mobile_account a on a.enterprise_id = s.enterprise_id
      where a.enabled and a.public_key is not null and a.address is not null
        and (a.expire_at is null or a.expire_at > now())
        and (a.pop_id is null or a.pop_id = s.pop_id)
        and (s.terminal_types = '{}' or a.terminal_type = any (s.terminal_types))`.execute(trx),
  ]);
  const placeOf = ({ node, spaceId }: Pick<ClientRow, "node" | "spaceId">) => `${node} ${spaceId}`;
  const byPlace = Map.groupBy(clients.rows, placeOf);
  const all = selected.rows.map(({ node, ...service }) => ({
    node,
    service: {
      ...service,
      clients: (byPlace.get(placeOf({ node, ...service })) ?? []).map(
        ({ node: _, spaceId: _in, ...client }) => client,
      ),
    },
  }));
  const of = Map.groupBy(all, ({ node }) => node);
  return new Map([...of].map(([node, some]) => [node, some.map(({ service }) => service)]));
}
