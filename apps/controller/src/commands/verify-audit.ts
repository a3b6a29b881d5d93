// `npm run audit:verify`: verifies the chain over the operation log. Exit code 1: it is broken, and
// the first broken place is reported. The settings are the controller's, which may run meanwhile.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openDatabase } from "#db/connect.ts";
import type { Database } from "#db/schema.ts";
import { type Break, verifyChain } from "#domains/access/record/public.ts";
import { refuseEmpty } from "#start/existing-database.ts";
import { readSettings, type Settings } from "#start/settings.ts";

const reasons: Readonly<Record<Break["kind"], string>> = {
  rowChanged: "a row was changed after it was sealed",
  rowRemoved: "a row is gone",
  rowInserted: "a row is not part of the chain",
  rowBackdated: "a row says an earlier time than it was written at",
  sealChanged: "a seal is not what it was made as",
  sealRemoved: "a seal is gone",
};

const usage =
  "npm run audit:verify -- [--demonstration] [--head NUMBER:HASH]\n" +
  "  --head  a seal that an earlier run printed: the chain must still hold it";

/** The anchor of --head. */
function toAnchor(text: string | undefined): { seal: number; hash: string } | undefined {
  if (text === undefined) return undefined;
  const [, seal = "", hash = ""] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (hash === "") throw new Error(usage);
  return { seal: Number(seal), hash };
}

/** What is checked, as text: with a demonstration beside it, an installation has two databases. */
function nameOf({ databaseUrl, dataDir, demonstration }: Settings): string {
  if (databaseUrl === undefined) {
    return `${demonstration ? "weft_demonstration" : "weft"} in ${resolve(dataDir)}`;
  }
  const { host, pathname } = new URL(databaseUrl);
  return `${pathname.slice(1)} on ${host}`;
}

const hasOther = ({ databaseUrl, dataDir, demonstration }: Settings): boolean =>
  databaseUrl === undefined &&
  !demonstration &&
  existsSync(join(resolve(dataDir), "demonstration"));

async function verify(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: { demonstration: { type: "boolean" }, head: { type: "string" } },
  });
  const anchor = toAnchor(values.head);
  const settings = readSettings(process.env, args);
  refuseEmpty(settings);
  const { dataDir, databaseUrl, demonstration } = settings;
  console.log(`Database: ${nameOf(settings)}`);
  if (hasOther(settings)) console.log("The demonstration's is another: -- --demonstration");
  const database = await openDatabase<Database>(
    { dataDir, databaseUrl, database: demonstration ? "weft_demonstration" : undefined },
    { info: () => undefined, warn: console.warn },
  );
  try {
    const { seals, rows, waiting, head, broken } = await verifyChain(database.pools, anchor);
    console.log(`${seals} seals over ${rows} rows hold; ${waiting} rows wait for theirs.`);
    if (!broken && seals + rows + waiting === 0) {
      // Not "intact": that would be printed of the wrong database, too.
      throw new Error("Nothing is logged in this database: nothing was verified.");
    }
    if (!broken) {
      console.log(`Intact. Head ${seals}:${head}`);
      return true;
    }
    const seal = broken.seal === null ? "" : `, seal ${broken.seal}`;
    const row = broken.row === null ? "" : `, row ${broken.row}`;
    console.error(`Broken${seal}${row}: ${reasons[broken.kind]}.`);
    return false;
  } finally {
    await database.release();
  }
}

try {
  if (!(await verify(process.argv.slice(2)))) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
