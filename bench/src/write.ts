/** Saves with audit and change row through the API, against transactions of TPC-B's shape. */

import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import { toRequest } from "@weft/contract/kernel/client.ts";
import { answersPerSecond, requestBytes } from "./http-load.ts";
import type { Installation } from "./installation.ts";
import type { Tenant } from "./list-call.ts";
import { type Result, ratioResult } from "./report.ts";
import { alternate, defaultRounds, summarise } from "./rounds.ts";
import { openTpcB } from "./sql-load.ts";

const clients = 16;
const ms = 2_500;

interface Route {
  readonly id: number;
  readonly cpe: number;
}

/** One static route on each of so many CPEs of the tenant. */
async function seedRoutes(
  { sql }: Installation,
  { enterprise }: Tenant,
  count: number,
): Promise<readonly Route[]> {
  const { rows } = await sql.query<{ id: string; node_id: string }>(
    `insert into static_route (enterprise_id, node_id, destination, next_hop, metric)
     select enterprise_id, id, '172.16.0.0/24', '10.1.1.2', 1 from node
     where enterprise_id = $1 and kind = 'cpe' order by id limit $2 returning id, node_id`,
    [enterprise, count],
  );
  return rows.map((row) => ({ id: Number(row.id), cpe: Number(row.node_id) }));
}

/** An edit that changes the route's metric, as the console sends it. */
function edit(route: Route, metric: number, token: string): Buffer {
  const { path, body } = toRequest(staticRoute.ops.edit, {
    nID: route.id,
    nCpeID: route.cpe,
    nEnable: true,
    destination: "172.16.0.0/24",
    nextHop: "10.1.1.2",
    metric,
    announce: false,
    remark: "",
  });
  const fields = new URLSearchParams();
  for (const [name, value] of body ?? []) fields.append(name, String(value));
  return requestBytes(path, token, fields);
}

/** Edits of one route for each client, each with another metric than the one before. */
export async function routeEdits(
  installation: Installation,
  tenant: Tenant,
  count: number,
): Promise<(client: number) => Buffer> {
  const token = await installation.token(tenant.userId);
  const routes = await seedRoutes(installation, tenant, count);
  let metric = 1;
  return (at) => {
    metric = (metric + 1) % 250;
    return edit(routes[at % routes.length] as Route, metric, token);
  };
}

/** @param installation one with 100,000 CPEs */
export async function writeCall(installation: Installation, tenant: Tenant): Promise<Result[]> {
  const request = await routeEdits(installation, tenant, clients);
  const tpcB = await openTpcB(await installation.addDatabase("bench_tpcb"));
  try {
    const rounds = await alternate(
      () => tpcB.run(clients, ms),
      () => answersPerSecond({ port: installation.port, connections: clients, ms, request }),
    );
    const names = {
      bench: "write",
      what: "save of a static route with audit and change row, 16 clients, worker compiling beside it",
      yardstick: "TPC-B-like, 16 clients",
      unit: "tps",
    };
    return [ratioResult(names, summarise(rounds), defaultRounds, { atLeast: 0.4 })];
  } finally {
    await tpcB.close();
  }
}
