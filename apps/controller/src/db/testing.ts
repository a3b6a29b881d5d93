import { randomBytes } from "node:crypto";
import { readdir, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { dropDatabase } from "./drop-database.ts";
import { isAlive } from "./embedded/cluster.ts";
import { ensureDatabase, withClient } from "./embedded/login.ts";
import { openEmbedded } from "./embedded/open.ts";
import { stopServer } from "./embedded/server.ts";
import { migrate } from "./migrate.ts";
import { openPools, type Pools } from "./pool.ts";
import { bootstrapRoles } from "./roles.ts";

/** A database of a test's own, with all migrations and no rows. */
export interface TestDatabase<DB> {
  /** URL that the roles' own follow from, as WEFT_DATABASE_URL. */
  readonly url: string;
  readonly pools: Pools<DB>;
  /** Closes the pools and removes the database. */
  drop(): Promise<void>;
}

/** Hands the server of a test run from the global setup to the workers. */
const urlVariable = "WEFT_TEST_DATABASE_URL";
const templateName = "weft_template";
const folderPrefix = "weft-test-";

/** Nothing of a test run need survive a power cut. */
const fast = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };

/**
 * Starts the server of a test run with the template database, and returns what ends it and
 * removes its files. A WEFT_TEST_DATABASE_URL given from outside names a server to use instead;
 * its login must be allowed to make databases and roles.
 * @param temporary folder for the run's files, such as os.tmpdir().
 */
export async function startTestServer(temporary: string): Promise<() => Promise<void>> {
  const given = process.env[urlVariable];
  if (given) {
    await makeTemplate(given);
    return () => removeCopy(given, templateName);
  }
  await sweepDeadRuns(await realpath(temporary));
  const folder = join(temporary, `${folderPrefix}${process.pid}-${randomBytes(3).toString("hex")}`);
  const logger = { info: () => undefined, warn: console.warn };
  const server = await openEmbedded({ dataDir: folder, logger, settings: fast });
  const end = async (): Promise<void> => {
    delete process.env[urlVariable];
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await makeTemplate(server.url);
  } catch (error) {
    await end();
    throw error;
  }
  process.env[urlVariable] = server.url;
  return end;
}

/** Ends servers that killed test runs left behind, and removes their files. */
async function sweepDeadRuns(temporary: string): Promise<void> {
  for (const name of await readdir(temporary)) {
    if (!name.startsWith(folderPrefix)) continue;
    if (isAlive(Number(name.slice(folderPrefix.length).split("-")[0]))) continue;
    const folder = join(temporary, name);
    await stopServer(join(folder, "postgres", "data")).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  }
}

async function makeTemplate(adminUrl: string): Promise<void> {
  await removeCopy(adminUrl, templateName);
  await ensureDatabase(adminUrl, templateName);
  const url = withDatabase(adminUrl, templateName);
  await bootstrapRoles(url);
  await migrate(url);
}

/**
 * Makes a database from the template. Any number of workers, threads and files may do so at the same time.
 * @throws Error when the test run has no server (test/global-setup.ts starts it).
 */
export async function testDatabase<DB>(): Promise<TestDatabase<DB>> {
  const { url, drop } = await bareDatabase(templateName);
  const pools = await openPools<DB>(url, { max: 6 });
  return {
    url,
    pools,
    async drop() {
      await pools.end();
      await drop();
    },
  };
}

/** As testDatabase, without pools, from another template: by default one without migrations. */
export async function bareDatabase(
  template = "template1",
): Promise<{ url: string; drop(): Promise<void> }> {
  const adminUrl = process.env[urlVariable];
  if (!adminUrl) {
    throw new Error(
      "No test server: name apps/controller/test/global-setup.ts as globalSetup of this project.",
    );
  }
  const name = `weft_test_${randomBytes(8).toString("hex")}`;
  await withClient(adminUrl, (client) =>
    client.query(`create database ${name} template ${template}`),
  );
  const url = withDatabase(adminUrl, name);
  // Grants on a database are not part of its template.
  await bootstrapRoles(url);
  const isOwn = template !== templateName;
  return { url, drop: () => (isOwn ? dropDatabase(adminUrl, url) : removeCopy(adminUrl, name)) };
}

/** Its roles are the template's, which others use. */
async function removeCopy(adminUrl: string, name: string): Promise<void> {
  await withClient(adminUrl, (client) =>
    client.query(`drop database if exists ${name} with (force)`),
  );
}

function withDatabase(url: string, database: string): string {
  const result = new URL(url);
  result.pathname = `/${database}`;
  return result.href;
}

/**
 * How many sessions of the current database wait for a lock, as `n`. Files of a test run share a server, so locks
 * without their database are also those of other files: which database it is follows from what else the session locks.
 * pg_stat_activity would not do: within one transaction it stays as it was when it was first read.
 */
export const waitingSessions = `select count(distinct pid)::int as n from pg_locks where not granted
  and pid in (select pid from pg_locks where database =
    (select oid from pg_database where datname = current_database()))`;
