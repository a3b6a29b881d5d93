// `npm run admin:password`: gives the first administrator, admin, another password and ends that
// account's sessions; WEFT_ADMIN_PASSWORD if set, else one that is made and printed. The settings
// are the controller's, which may run meanwhile.
import { resolve } from "node:path";
import { openDatabase } from "#db/connect.ts";
import type { Database } from "#db/schema.ts";
import { demonstrationFolder } from "#demonstration/folder.ts";
import { hashPassword } from "#domains/access/session/public.ts";
import { forgetPassword, makePassword, setAdminHash } from "#start/first-password.ts";
import { readSettings } from "#start/settings.ts";

const usage = "Usage: npm run admin:password -- [--demonstration]";

async function run(args: readonly string[]): Promise<string> {
  if (args.some((arg) => arg !== "--demonstration")) throw new Error(usage);
  const settings = readSettings(process.env, args);
  const { databaseUrl, demonstration, adminPassword } = settings;
  const dataDir = resolve(settings.dataDir);
  const database = await openDatabase<Database>(
    { dataDir, databaseUrl, database: demonstration ? "weft_demonstration" : undefined },
    { info: () => undefined, warn: console.warn },
  );
  try {
    const password = adminPassword ?? makePassword();
    const loginName = await setAdminHash(database.pools, await hashPassword(password));
    if (loginName === null)
      throw new Error("This database has no administrator: start Weft first.");
    await forgetPassword(demonstration ? demonstrationFolder(dataDir) : dataDir);
    const credentials =
      adminPassword === undefined ? `password ${password}` : "the password that was set";
    return `Administrator: ${loginName}, ${credentials}`;
  } finally {
    await database.release();
  }
}

try {
  console.log(await run(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
