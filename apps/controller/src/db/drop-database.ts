import pg from "pg";
import { withClient } from "./embedded/login.ts";
import { readLogins, roleKeys, roleName } from "./role-logins.ts";

/**
 * Removes the database of this URL with everything in it, and the roles that are its own.
 * @param adminUrl a login on another database of the server
 */
export async function dropDatabase(adminUrl: string, url: string): Promise<void> {
  const logins = await readLogins(url);
  const name = decodeURIComponent(new URL(url).pathname.slice(1));
  const roles = roleKeys.map((key) => roleName(logins, key)).join(", ");
  await withClient(adminUrl, async (client) => {
    await client.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`);
    await client.query(`drop role if exists ${roles}`);
  });
}
