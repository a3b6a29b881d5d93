import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { nameRoles, type RoleLogins } from "./role-logins.ts";

/** A file of SQL that a start applies (docs/database.md). */
export interface SqlFile {
  /** Path below its folder; it is the identity of the file. */
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the text with line ends normalised, in hexadecimal. */
  readonly checksum: string;
}

/** What a database has of a file. */
export type AppliedFile = Pick<SqlFile, "name" | "checksum">;

export async function readSqlFile(folder: string, name: string): Promise<SqlFile> {
  const sql = (await readFile(join(folder, name), "utf8")).replaceAll("\r\n", "\n");
  return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
}

/**
 * Runs a file in the transaction that is open on the connection.
 * @param title what an error calls it.
 * @throws Error that names the file and, where PostgreSQL tells it, the line.
 */
export async function runSqlFile(
  client: pg.Client,
  title: string,
  file: SqlFile,
  logins: Pick<RoleLogins, "suffix">,
): Promise<void> {
  const text = nameRoles(file.sql, logins);
  try {
    const before = await transactionId(client);
    await client.query(text);
    if ((await transactionId(client)) !== before) {
      throw new Error("the file ends its transaction itself; it must not");
    }
  } catch (error) {
    throw new Error(`${title}${place(text, error)}`, { cause: error });
  }
}

async function transactionId(client: pg.Client): Promise<string> {
  const { rows } = await client.query("select pg_current_xact_id()::text as id");
  return (rows[0] as { id: string }).id;
}

function place(sql: string, error: unknown): string {
  const { message, position, where } = error as {
    message: string;
    position?: string;
    where?: string;
  };
  // `where` names the statement inside a function or DO block.
  const text = where ? `${message} (${where})` : message;
  if (!position) return `: ${text}`;
  // The position counts characters, not UTF-16 units.
  const line =
    [...sql].slice(0, Number(position)).filter((character) => character === "\n").length + 1;
  return `, line ${line}: ${text}`;
}
