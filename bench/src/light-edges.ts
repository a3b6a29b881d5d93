/**
 * Devices that only connect: they prove themselves, report, and stay. Thousands of them cost little
 * beside the gateway that is measured.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { type FromController, socketPath } from "@weft/contract/device/v1/messages.ts";
import { helloProof } from "@weft/contract/device/v1/proof.ts";
import type pg from "pg";
import { WebSocket } from "ws";
import { isCompiled, until } from "./fleet.ts";
import { clearAlarms, firstEnterprise } from "./seed.ts";

/** Sockets that are opened at once; more would wait in the listener's queue. */
const opening = 128;

export interface LightEdge {
  readonly node: number;
  readonly serialNumber: string;
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

/** Nodes with approved identities, keys and all; each node has no lines, so there is nothing to send. */
export async function seedLightEdges(sql: pg.Pool, count: number): Promise<LightEdge[]> {
  const keys = Array.from({ length: count }, () => generateKeyPairSync("ed25519"));
  const raw = keys.map(({ publicKey }) => publicKey.export({ format: "jwk" }).x ?? "");
  const { rows } = await sql.query<{ id: string; sn: string }>(
    `insert into node (enterprise_id, kind, name, sn, created_by)
     select ${firstEnterprise}, 'cpe', 'light-' || i, 'LIGHT-' || i, ${firstEnterprise}
     from generate_series(1, $1::int) i returning id, sn`,
    [count],
  );
  await sql.query(
    `insert into node_identity (enterprise_id, node_id, public_key, sn, address, state)
     select ${firstEnterprise}, id, key, sn, '127.0.0.1', 'approved'
     from unnest($1::bigint[], $2::text[], $3::text[]) as e (id, key, sn)`,
    [rows.map(({ id }) => id), raw, rows.map(({ sn }) => sn)],
  );
  await sql.query("analyze");
  return rows.map(({ id, sn }, at) => ({
    node: Number(id),
    serialNumber: sn,
    publicKey: raw[at] as string,
    privateKey: (keys[at] as { privateKey: KeyObject }).privateKey,
  }));
}

/** Sites of one space of `seedMetrics`: a large one would take long to compile. */
const sitesOfSpace = 25;

/** As the device reports it: the row says the same already, so that no report is news to the worker. */
const tunnelKeyOf = (node: number): string =>
  createHash("sha256").update(String(node)).digest("base64");

/**
 * Lines for devices that send values, and spaces in which the worker links each line with each POP: of others'
 * links nothing is kept, and links that no space wants the worker removes.
 * @returns ids of the links that each device probes, in the order of the devices
 */
export async function seedMetrics(
  sql: pg.Pool,
  devices: readonly LightEdge[],
  lines: readonly string[],
  popsOfSpace: number,
): Promise<number[][]> {
  const nodes = devices.map(({ node }) => node);
  const spaces = Math.ceil(nodes.length / sitesOfSpace);
  await sql.query(
    `insert into line (enterprise_id, node_id, slot, name, interface_name, addressing, mtu)
     select ${firstEnterprise}, node, at, name, name, 'dhcp', 1400
     from unnest($1::bigint[]) node, unnest($2::text[]) with ordinality as l (name, at)`,
    [nodes, lines],
  );
  const { rows: made } = await sql.query<{ id: string }>(
    `insert into node (enterprise_id, kind, name, sn, created_by)
     select ${firstEnterprise}, 'pop', 'metrics-pop-' || i, 'METRICS-POP-' || i, ${firstEnterprise}
     from generate_series(1, $1::int) i returning id`,
    [spaces * popsOfSpace],
  );
  const pops = made.map(({ id }) => Number(id));
  await sql.query(
    `insert into line (enterprise_id, node_id, slot, name, interface_name, addressing, ip, gateway, mtu, reachable)
     select ${firstEnterprise}, node, 1, 'line', 'wan1', 'static',
       '100.64.' || at / 250 || '.' || 1 + at % 250 || '/16', '100.64.255.254', 1400, true
     from unnest($1::bigint[]) with ordinality as p (node, at)`,
    [pops],
  );
  const all = [...nodes, ...pops];
  await sql.query(
    `insert into node_status (node_id, enterprise_id, tunnel_key)
     select node, ${firstEnterprise}, key from unnest($1::bigint[], $2::text[]) as k (node, key)`,
    [all, all.map(tunnelKeyOf)],
  );
  await sql.query(
    `with space as (
       insert into net_space (enterprise_id, name, topology, created_by)
       select ${firstEnterprise}, 'metrics-' || i, 0, ${firstEnterprise} from generate_series(1, $1::int) i
       returning id
     ), place as (
       select id, row_number() over (order by id) - 1 as at from space
     ), joined as (
       insert into space_member (enterprise_id, space_id, node_enterprise_id, node_id, kind)
       select ${firstEnterprise}, p.id, ${firstEnterprise}, m.node, m.kind from place p join (
         select node, 'cpe' as kind, (at - 1) / ${sitesOfSpace} as at
         from unnest($2::bigint[]) with ordinality as n (node, at)
         union all
         select node, 'pop', (at - 1) / $4::int from unnest($3::bigint[]) with ordinality as n (node, at)
       ) m using (at)
     )
     insert into change (enterprise_id, space_ids, cause, created_by)
     select ${firstEnterprise}, array[id], 'bench', ${firstEnterprise} from space`,
    [spaces, nodes, pops, popsOfSpace],
  );
  await sql.query("notify weft_change");
  await until(() => isCompiled(sql), "the spaces compiled", 600_000);
  await clearAlarms(sql);
  const { rows } = await sql.query<{ node: string; ids: string[] }>(
    `select a_node_id as node, array_agg(id order by id) as ids from link
     where a_node_id = any($1::bigint[]) group by a_node_id`,
    [nodes],
  );
  const idsOf = new Map(rows.map(({ node, ids }) => [Number(node), ids.map(Number)]));
  const found = nodes.map((node) => idsOf.get(node) ?? []);
  const missing = found.find((ids) => ids.length !== lines.length * popsOfSpace);
  if (missing) {
    throw new Error(`a device probes ${missing.length} links, not ${lines.length * popsOfSpace}`);
  }
  return found;
}

const nonce = (): string => randomBytes(18).toString("base64url");

function hello(edge: LightEdge, challenge: string): string {
  const { node, publicKey, privateKey } = edge;
  const own = nonce();
  const proof = Buffer.from(helloProof(challenge, own, node));
  const signature = sign(null, proof, privateKey).toString("base64url");
  return JSON.stringify({ type: "hello", protocol: 1, node, publicKey, nonce: own, signature });
}

const report = ({ serialNumber, node }: LightEdge): string =>
  JSON.stringify({
    type: "report",
    version: "bench",
    serialNumber,
    capabilities: [],
    tunnelKeys: [{ id: "k1", publicKey: tunnelKeyOf(node) }],
    running: null,
    lines: [],
  });

/** Opens one socket; resolves when the server has welcomed it. */
function connect(url: string, edge: LightEdge): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    socket.on("message", (data) => {
      const message = JSON.parse(String(data)) as FromController;
      if (message.type === "challenge") socket.send(hello(edge, message.nonce));
      else if (message.type === "welcome") {
        socket.send(report(edge));
        resolve(socket);
      } else if (message.type === "refused") reject(new Error(`refused: ${message.reason}`));
    });
    socket.on("error", reject);
  });
}

export interface Connected {
  /** Welcomes per second. */
  readonly rate: number;
  /** In the order of the devices. */
  readonly sockets: readonly WebSocket[];
  close(): void;
}

/** Connects all of them as fast as the server takes them. */
export async function connectAll(port: number, edges: readonly LightEdge[]): Promise<Connected> {
  const url = `ws://127.0.0.1:${port}${socketPath}`;
  const waiting = [...edges.entries()];
  const sockets: WebSocket[] = [];
  const from = performance.now();
  const lane = async (): Promise<void> => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [at, edge] = next;
      sockets[at] = await connect(url, edge);
    }
  };
  await Promise.all(Array.from({ length: opening }, lane));
  const seconds = (performance.now() - from) / 1_000;
  return {
    rate: edges.length / seconds,
    sockets,
    close: () => {
      for (const socket of sockets) socket.terminate();
    },
  };
}
