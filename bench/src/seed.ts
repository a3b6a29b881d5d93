/**
 * Rows that a bench starts from, straight into the tables: by the API a hundred thousand CPEs would
 * take longer than all benches together. Only databases that a bench made are written to.
 */

import { createHash, randomBytes } from "node:crypto";
import { encodeClaim } from "@weft/contract/device/v1/claim.ts";
import { formatCapabilities } from "@weft/contract/device/v1/sections.ts";
import { revisionsCapability } from "@weft/contract/device/v1/state.ts";
import type pg from "pg";
import { waitingFor } from "./waiting.ts";

/** The operator's enterprise, and the user who sees the whole tree (specification section 6). */
export const firstEnterprise = 1;

/** What every simulated device says of its two lines; of use to lists only. */
const reported = JSON.stringify([
  { interfaceName: "wan1", addressing: "static", address: "198.51.100.7/24", up: true },
]);

/**
 * Seeded rows are news to alarms: evaluating hundreds of thousands of them would take most of a core from what is
 * measured, for minutes.
 */
export async function clearAlarms(sql: pg.Pool): Promise<void> {
  await sql.query("delete from alarm_due; delete from transition");
}

/**
 * CPEs spread evenly over enterprises below the operator, each with a line, a LAN section, an
 * approved identity, a confirmed state and a status; two of three are online.
 * @returns the enterprises' ids
 */
export function seedCpes(
  sql: pg.Pool,
  cpes: number,
  enterprises: number,
): Promise<readonly number[]> {
  const what = `seeds ${cpes.toLocaleString("en-US")} CPEs`;
  return waitingFor(what, () => insertCpes(sql, cpes, enterprises));
}

async function insertCpes(
  sql: pg.Pool,
  cpes: number,
  enterprises: number,
): Promise<readonly number[]> {
  const { rows } = await sql.query<{ id: string }>(
    `insert into enterprise (parent_id, name, created_by)
     select ${firstEnterprise}, 'bench-' || i, ${firstEnterprise} from generate_series(1, $1::int) i returning id`,
    [enterprises],
  );
  const ids = rows.map(({ id }) => Number(id));
  await sql.query(
    `insert into node (enterprise_id, kind, name, sn, created_by)
     select ($2::bigint[])[1 + i % cardinality($2::bigint[])], 'cpe', 'site-' || i, 'BENCH-' || i, ${firstEnterprise}
     from generate_series(1, $1::int) i`,
    [cpes, ids],
  );
  await sql.query(
    `insert into node_status (node_id, enterprise_id, online, last_seen, version, running_serial, lines)
     select id, enterprise_id, id % 3 <> 0, now(), '1.0.0', 1, $1::jsonb from node where kind = 'cpe'`,
    [reported],
  );
  await sql.query(`
    insert into line (enterprise_id, node_id, slot, name, interface_name, addressing, mtu)
      select enterprise_id, id, 1, 'line', 'wan1', 'dhcp', 1400 from node where kind = 'cpe';
    insert into lan_section (enterprise_id, node_id, interface_name, network)
      select enterprise_id, id, 'lan1', '10.1.1.1/24' from node where kind = 'cpe';
    insert into node_identity (enterprise_id, node_id, public_key, sn, address, state)
      select enterprise_id, id, 'bench-' || id, sn, '127.0.0.1', 'approved' from node where kind = 'cpe';
    insert into node_state (node_id, epoch, serial, enterprise_id, sections, digest, outcome, cause, created_by)
      select id, 1, 1, enterprise_id, '{}', '', 'confirmed', 'bench', ${firstEnterprise} from node where kind = 'cpe'`);
  await clearAlarms(sql);
  await sql.query("vacuum analyze");
  return ids;
}

/** A user of an enterprise with that enterprise's data scope and every permission of its role type. */
export async function seedUser(sql: pg.Pool, enterprise: number): Promise<number> {
  const { rows } = await sql.query<{ id: string }>(
    `with person as (
       insert into sys_user (enterprise_id, login_name, password_hash)
       values ($1::bigint, 'bench-' || $1::bigint, 'none: its sessions are made without a login')
       returning id
     ), made as (
       insert into role (enterprise_id, code, name, role_type, data_scope)
       values ($1, 'bench', 'bench', 2, 1) returning id
     ), held as (
       insert into user_role (user_id, role_id, enterprise_id)
       select person.id, made.id, $1 from person, made
     ), allowed as (
       insert into role_permission (role_id, enterprise_id, permission)
       select made.id, $1, p.permission from made, role_permission p
       join role of_all on of_all.id = p.role_id and of_all.code = 'enterprise'
     ) select id from person`,
    [enterprise],
  );
  return Number(rows[0]?.id);
}

/** Size of a network that is seeded whole. */
export interface Network {
  readonly spaces: number;
  /** CPEs a space; each space has a POP of its own besides. */
  readonly cpesOfSpace: number;
}

/**
 * Nodes for spaces of one POP and its CPEs each, under the operator; every node has a line, every CPE
 * a LAN section and a static route that is not announced. They are in no space yet.
 */
export async function seedNodes(sql: pg.Pool, { spaces, cpesOfSpace }: Network): Promise<void> {
  await sql.query(
    `insert into node (enterprise_id, kind, name, sn, created_by)
     select ${firstEnterprise}, case when i % $2 = 0 then 'pop' else 'cpe' end, 'n-' || i, 'BENCH-' || i, ${firstEnterprise}
     from generate_series(0, $1::int - 1) i order by i`,
    [spaces * (cpesOfSpace + 1), cpesOfSpace + 1],
  );
  await sql.query(`
    insert into line (enterprise_id, node_id, slot, name, interface_name, addressing, ip, gateway, mtu, reachable)
      select enterprise_id, id, 1, 'line', 'wan1', 'static',
        '100.64.' || id / 250 || '.' || 1 + id % 250 || '/16', '100.64.255.254', 1400, kind = 'pop'
      from node;
    insert into lan_section (enterprise_id, node_id, interface_name, network)
      select enterprise_id, id, 'lan1', '10.' || id / 250 || '.' || id % 250 || '.1/24'
      from node where kind = 'cpe';
    insert into static_route (enterprise_id, node_id, destination, next_hop, metric)
      select enterprise_id, id, '172.16.0.0/24', '10.' || id / 250 || '.' || id % 250 || '.2', 1
      from node where kind = 'cpe'`);
  await sql.query("analyze");
}

/** How the edges of this version take states. */
const capabilities = [...formatCapabilities, revisionsCapability].map((name) => ({
  name,
  can: true,
  reason: null,
}));

/** Status rows as if every device had reported its tunnel key, and in which parts it reads its state. */
export async function seedReports(sql: pg.Pool): Promise<void> {
  await sql.query(
    `
    insert into node_status (node_id, enterprise_id, tunnel_key, capabilities)
      select id, enterprise_id, 'bench' || lpad(id::text, 38, '0') || '=', $1::jsonb from node`,
    [JSON.stringify(capabilities)],
  );
}

/** Joins the nodes of `seedNodes` in spaces; the worker makes links and states of it by itself. */
export async function seedSpaces(sql: pg.Pool, { spaces, cpesOfSpace }: Network): Promise<void> {
  await sql.query(
    `insert into net_space (enterprise_id, name, topology, created_by)
     select ${firstEnterprise}, 'space-' || i, 0, ${firstEnterprise} from generate_series(1, $1::int) i`,
    [spaces],
  );
  await sql.query(
    `insert into space_member (enterprise_id, space_id, node_enterprise_id, node_id, kind)
     select ${firstEnterprise}, s.id, ${firstEnterprise}, n.id, n.kind
     from (select id, row_number() over (order by id) - 1 as at from net_space) s
     join (select id, kind, (row_number() over (order by id) - 1) / $1 as at from node) n using (at)`,
    [cpesOfSpace + 1],
  );
  await sql.query("vacuum analyze");
  await sql.query(`
    insert into change (enterprise_id, space_ids, cause, created_by)
      select enterprise_id, array[id], 'bench', ${firstEnterprise} from net_space`);
}

/** A claim of every node that has none, as the API makes them: text for the device, hash in the table. */
export async function seedClaims(
  sql: pg.Pool,
  addresses: readonly string[],
): Promise<{ claim: string; serialNumber: string }[]> {
  const found = await sql.query<{ key: string }>("select controller_key as key from installation");
  const controllerKeyHash = createHash("sha256")
    .update(Buffer.from(found.rows[0]?.key ?? "", "base64url"))
    .digest("hex");
  const { rows } = await sql.query<{ id: string; sn: string }>(
    "select id, sn from node order by id",
  );
  const tokens = rows.map(() => randomBytes(32).toString("base64url"));
  await sql.query(
    `insert into claim (enterprise_id, node_id, token_hash, sn, pre_approved, expires_at, created_by)
     select n.enterprise_id, n.id, t.hash, n.sn, true, now() + interval '1 day', ${firstEnterprise}
     from unnest($1::bigint[], $2::bytea[]) as t (id, hash) join node n on n.id = t.id`,
    [rows.map(({ id }) => id), tokens.map((token) => createHash("sha256").update(token).digest())],
  );
  return rows.map(({ sn }, at) => ({
    claim: encodeClaim({ token: tokens[at] as string, addresses, controllerKeyHash }),
    serialNumber: sn,
  }));
}
