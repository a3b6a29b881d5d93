/** A mobile account as a WireGuard client: key and configuration. */

import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { type accountClient, mobileAccount } from "@weft/contract/domains/mobile/mobile-account.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { Message } from "@weft/contract/kernel/message.ts";
import { networkOf, parseAddress } from "@weft/contract/rules/address.ts";
import { sql } from "kysely";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { readCalled } from "#domains/delivery/compile/public.ts";
import { findService, freeAddress, servicePops } from "#domains/mobile/client-config/public.ts";
import type { Context } from "#kernel/api.ts";
import { asRefusal } from "#kernel/database-errors.ts";
import { refuse } from "#kernel/refuse.ts";
import { readAccount } from "./list.ts";
import { lockAll } from "./store.ts";

type Client = OutputOf<typeof accountClient>;
type Account = Awaited<ReturnType<typeof readAccount>>;
type Service = NonNullable<Awaited<ReturnType<typeof findService>>>;

const noAddress: Message = [
  "地址池未设置或已用完，请先在移动终端的配置管理中设置",
  "the address pool is not set or is exhausted; set it under Mobile terminal, Config management",
];

const tooManyClients: Message = [
  `一个企业最多 ${stateLimits.clientPeers} 个账号可以有公钥`,
  `at most ${stateLimits.clientPeers} accounts of an enterprise can have a key`,
];

/** Sets the public key of an account; with the first one it gets its address. */
export async function setKey(ctx: Context, id: number, publicKey: string | null): Promise<void> {
  const [row] = await lockAll(ctx, [id]);
  if (!row) refuse("notFound");
  const before = { publicKey: row.public_key, address: row.address };
  if (publicKey !== null && before.publicKey === null) {
    const { rows } = await sql<{ n: number }>`
      select weft.client_load(${row.enterprise_id})::int as n`.execute(ctx.db);
    if ((rows[0]?.n ?? 0) >= stateLimits.clientPeers) {
      refuse("notAllowedNow", { reason: tooManyClients });
    }
  }
  const address =
    publicKey === null
      ? null
      : (before.address ??
        (await freeAddress(ctx, row.enterprise_id)) ??
        refuse("notAllowedNow", { reason: noAddress }));
  await ctx.db
    .updateTable("mobile_account")
    .set({ public_key: publicKey, address, updated_at: sql`now()` })
    .where("id", "=", id)
    .execute()
    .catch((error: unknown) => {
      const constraints = { mobile_account_key: { field: "publicKey" } };
      throw asRefusal(error, constraints, { publicKey }) ?? error;
    });
  await ctx.audit({
    resource: mobileAccount.name,
    rowId: id,
    old: { loginName: row.login_name, ...before },
    new: { loginName: row.login_name, publicKey, address },
    enterpriseId: row.enterprise_id,
  });
  await notifyPops(ctx, [row.enterprise_id]);
}

/** Recompiles the POPs that admit the clients of these enterprises. */
export async function notifyPops(ctx: Context, enterpriseIds: readonly number[]): Promise<void> {
  const pops = await servicePops(ctx, enterpriseIds);
  const changes = [...pops].map(([enterpriseId, popId]) => ({ enterpriseId, nodeIds: [popId] }));
  if (changes.length > 0) await ctx.change(...changes);
}

/** Networks of a space's sites, as far as the caller may read them. */
async function networksOf(ctx: Context, spaceId: number): Promise<string[]> {
  const { rows } = await sql<{ network: string }>`
    select one.network from space_member m
    cross join lateral (
      select unnest(array[s.network]) as network from lan_section s
      where s.node_id = m.node_id and s.enable_forward
      union all
      select r.destination from static_route r where r.node_id = m.node_id and r.enabled and r.announce
    ) one where m.space_id = ${spaceId}`.execute(ctx.db);
  // Clients have an IPv4 address and no other.
  const networks = rows.map(({ network }) => networkOf(network));
  return [...new Set(networks)].filter((text) => !text.includes(":")).sort();
}

/** The POP as clients call it; null while its address or key is not known. */
async function serverOf(pools: Pools<Database>, service: Service) {
  const { popId, port, serverHost } = service;
  if (popId === null || port === null) return null;
  const { line, key } = await readCalled(pools, popId);
  const host = serverHost ?? line?.address;
  if (!line || !host || !key) return null;
  const hostText = parseAddress(host)?.family === 6 ? `[${host}]` : host;
  return { key, endpoint: `${hostText}:${port}`, mtu: line.mtu };
}

const expired = 5;

function obstacleOf(account: Account, service: Service | null, hasServer: boolean) {
  const checks: [boolean, NonNullable<Client["obstacle"]>][] = [
    [!service?.enable, "noService"],
    [!hasServer, "popUnready"],
    [account.publicKey === null, "noKey"],
    [account.address === null, "noAddress"],
    [!account.enable, "disabled"],
    [account.tokenState === expired, "expired"],
    [account.popId !== null && account.popId !== service?.popId, "otherPop"],
    [
      (service?.allowTerminalTypes.length ?? 0) > 0 &&
        !service?.allowTerminalTypes.includes(account.terminalType),
      "terminalType",
    ],
  ];
  return checks.find(([applies]) => applies)?.[1] ?? null;
}

const defaultMtu = 1_420;

/** An account, what its enterprise offers to clients, and the networks that they reach. */
export async function readClient(ctx: Context, id: number) {
  const account = await readAccount(ctx, id);
  const service = await findService(ctx, account.groupid);
  const routes = service?.routes ?? [];
  const spaceId = service?.netSpaceId ?? null;
  const isGiven = routes.length > 0 || spaceId === null;
  return { account, service, routes: isGiven ? routes : await networksOf(ctx, spaceId) };
}

/** What the configuration of a client says; the private key is the client's own and not here. */
export async function clientOf(
  pools: Pools<Database>,
  { account, service, routes }: Awaited<ReturnType<typeof readClient>>,
): Promise<Client> {
  const server = service && (await serverOf(pools, service));
  return {
    obstacle: obstacleOf(account, service, server !== null),
    address: account.address === null ? null : `${account.address}/32`,
    dns: service?.dns ?? null,
    serverKey: server?.key ?? null,
    endpoint: server?.endpoint ?? null,
    routes,
    mtu: server?.mtu ?? defaultMtu,
  };
}
