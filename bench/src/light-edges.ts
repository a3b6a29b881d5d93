/**
 * Devices that only connect: they prove themselves, report, and stay. Thousands of them cost little
 * beside the gateway that is measured.
 */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { type FromController, socketPath } from "@weft/contract/device/v1/messages.ts";
import { helloProof } from "@weft/contract/device/v1/proof.ts";
import type pg from "pg";
import { WebSocket } from "ws";
import { firstEnterprise } from "./seed.ts";

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

/**
 * Lines and links for devices that send values: of others' links nothing is kept.
 * @returns ids of the links that each device probes, in the order of the devices
 */
export async function seedMetrics(
  sql: pg.Pool,
  devices: readonly LightEdge[],
  lines: readonly string[],
  links: number,
): Promise<number[][]> {
  const nodes = devices.map(({ node }) => node);
  await sql.query(
    `insert into line (enterprise_id, node_id, slot, name, interface_name, addressing, mtu)
     select ${firstEnterprise}, node, at, name, name, 'dhcp', 1400
     from unnest($1::bigint[]) node, unnest($2::text[]) with ordinality as l (name, at)`,
    [nodes, lines],
  );
  const { rows } = await sql.query<{ node: string; ids: string[] }>(
    `with space as (insert into net_space (enterprise_id, name, topology)
       values (${firstEnterprise}, 'metrics', 0) returning id),
     made as (insert into link (enterprise_id, space_id, index_in_space,
         a_node_id, a_slot, a_port, a_key, b_node_id, b_slot, b_port, b_key)
       select ${firstEnterprise}, space.id, (at - 1) * $2::int + i, a.node, 1, 20000 + i, 'a',
         ($1::bigint[])[1 + (at - 1 + i) % cardinality($1::bigint[])], 1, 30000 + i, 'b' || i
       from space, unnest($1::bigint[]) with ordinality as a (node, at), generate_series(1, $2::int) i
       returning id, a_node_id)
     select a_node_id as node, array_agg(id) as ids from made group by a_node_id`,
    [nodes, links],
  );
  const idsOf = new Map(rows.map(({ node, ids }) => [Number(node), ids.map(Number)]));
  return nodes.map((node) => idsOf.get(node) ?? []);
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
    tunnelKeys: [{ id: "k1", publicKey: Buffer.alloc(32, node).toString("base64") }],
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
