/** A controller as `npm run serve` starts it, in a temporary folder with its own PostgreSQL. */
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { type Child, killChildren, printed, root, startChild } from "./child.ts";
import { waitingFor } from "./waiting.ts";

export interface HowToStart {
  /** Of Node itself, such as `--cpu-prof`. */
  readonly nodeArgs?: readonly string[];
  /** The working tree that it is started from; this one if absent. */
  readonly tree?: string;
}

export interface Installation {
  readonly folder: string;
  /** Port of console and API. */
  readonly port: number;
  /** TLS port of the edges. */
  readonly edgePort: number;
  /** URL of the product's database as superuser, whom row-level security does not bind. */
  readonly databaseUrl: string;
  readonly sql: pg.Pool;
  /** Process of the controller, and of the PostgreSQL that it started. */
  pids(): { readonly controller: number; readonly database: number };
  /** A session of this user, without a login; it is not rotated. */
  token(userId: number): Promise<string>;
  /** An empty database beside the product's, on the same server. */
  addDatabase(name: string): Promise<string>;
  stopController(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
  /** Starts it again on the same ports. */
  startController(how?: HowToStart): Promise<void>;
  close(): Promise<void>;
}

/** A port that is free now: it has to stay the same when the controller comes back. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no TCP address");
  return address.port;
}

/** Ms that the first start of a controller may take, with migrations, on a machine with other work. */
const startMs = 180_000;

interface Place {
  readonly folder: string;
  readonly port: number;
  readonly edgePort: number;
  /** The built console; most benches ask for calls only. */
  readonly pages: string;
}

async function start(
  { folder, port, edgePort, pages }: Place,
  { nodeArgs = [], tree = root }: HowToStart = {},
): Promise<Child> {
  const log = join(folder, `controller-${process.hrtime.bigint()}.log`);
  const child = startChild([...nodeArgs, join(tree, "apps/controller/src/main.ts")], log, {
    WEFT_DATA: folder,
    WEFT_PORT: String(port),
    WEFT_EDGE_PORT: String(edgePort),
    WEFT_ADMIN_PASSWORD: `b-${randomBytes(5).toString("hex")}`.slice(0, 12),
    WEFT_CONSOLE: pages,
  });
  try {
    await printed(log, /Weft: (http\S+)/, startMs);
    return child;
  } catch (error) {
    await child.stop();
    throw error;
  }
}

/** Process and port of the server (postmaster.pid: process in the first line, port in the fourth). */
function serverOf(folder: string): { pid: number; port: number } {
  const lines = readFileSync(join(folder, "postgres/data/postmaster.pid"), "utf8").split("\n");
  return { pid: Number(lines[0]), port: Number(lines[3]) };
}

function urlOf(folder: string, database: string): string {
  const password = readFileSync(join(folder, "postgres/superuser-password"), "utf8").trim();
  return `postgres://postgres:${password}@127.0.0.1:${serverOf(folder).port}/${database}`;
}

const running = new Set<Installation>();

/** Ends those that run, with their servers and files: what a bench that is broken off leaves. */
export async function closeAll(): Promise<void> {
  // What writes into their folders goes first.
  await killChildren([...running].map((one) => one.pids().controller));
  await Promise.all([...running].map((one) => one.close()));
}

/** Starts one and waits until it serves. @param console folder of the pages that it serves */
export async function startInstallation(console?: string): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), "weft-bench-"));
  const [port, edgePort] = [await freePort(), await freePort()];
  const place = { folder, port, edgePort, pages: console ?? join(folder, "no-console") };
  let child = await waitingFor("starts an installation", () => start(place));
  const databaseUrl = urlOf(folder, "weft");
  const sql = openSql(databaseUrl);
  const installation: Installation = {
    folder,
    port,
    edgePort,
    databaseUrl,
    sql,
    pids: () => ({ controller: child.pid, database: serverOf(folder).pid }),
    token: (userId) => makeToken(sql, userId),
    async addDatabase(name) {
      await sql.query(`create database ${pg.escapeIdentifier(name)}`);
      return urlOf(folder, name);
    },
    stopController: (signal) => child.stop(signal),
    async startController(how) {
      child = await start(place, how);
    },
    async close() {
      if (!running.delete(installation)) return;
      await sql.end();
      // In order: it ends its PostgreSQL as well.
      await child.stop("SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
  running.add(installation);
  return installation;
}

function openSql(connectionString: string): pg.Pool {
  const options = "-c search_path=weft,public -c timezone=UTC";
  // Seeds take minutes on a busy machine; what takes longer than this waits for something that does not come.
  const sql = new pg.Pool({ connectionString, max: 4, options, statement_timeout: 600_000 });
  // The controller ends the server; a connection that is lost then must not fail the run.
  sql.on("error", () => undefined);
  return sql;
}

async function makeToken(sql: pg.Pool, userId: number): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await sql.query(
    `insert into session (token_hash, user_id, enterprise_id, family, address, rotate_after, expires_at)
     select $1, id, enterprise_id, gen_random_uuid(), '127.0.0.1', 'infinity', now() + interval '1 day'
     from sys_user where id = $2`,
    [createHash("sha256").update(token).digest(), userId],
  );
  return token;
}
