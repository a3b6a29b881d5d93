import pg from "pg";
import { superuser } from "./cluster.ts";

/** How a server answered a login. */
export type LoginAnswer =
  | { readonly state: "open"; readonly dataFolder: string }
  /** It is the server, and it is starting, recovering or shutting down. */
  | { readonly state: "busy" }
  | { readonly state: "closed"; readonly reason: string };

/** SQLSTATE cannot_connect_now: starting up, in recovery or shutting down. */
const cannotConnectNow = "57P03";

/** URL of the superuser for a database of the server on this port of the loopback. */
export function superuserUrl(port: number, password: string, database: string): string {
  return `postgres://${superuser}:${encodeURIComponent(password)}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
}

/**
 * Tries to log in as superuser. SCRAM proves both ends: an `open` answer comes from a server that
 * knows the password too, never from a stranger on that port.
 */
export async function tryLogin(port: number, password: string): Promise<LoginAnswer> {
  try {
    return await withClient(superuserUrl(port, password, "postgres"), async (client) => {
      const { rows } = await client.query("select current_setting('data_directory') as folder");
      return { state: "open", dataFolder: (rows[0] as { folder: string }).folder };
    });
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === cannotConnectNow) return { state: "busy" };
    return { state: "closed", reason: code ? `${code} ${message}` : message };
  }
}

/** Makes the database unless it is there; two processes may try at once. */
export async function ensureDatabase(adminUrl: string, database: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    const selected = await client.query("select from pg_database where datname = $1", [database]);
    if (selected.rowCount) return;
    await client
      .query(`create database ${pg.escapeIdentifier(database)}`)
      .catch((error: { code?: string }) => {
        // duplicate_database, or unique_violation when both pass the check at one moment
        if (error.code !== "42P04" && error.code !== "23505") throw error;
      });
  });
}

/** Runs `fn` with a connection of its own and closes it. */
export async function withClient<T>(
  connectionString: string,
  fn: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  // A lost connection fails the query that runs; without a listener it would end the process too.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await fn(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
