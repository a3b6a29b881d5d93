import { mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";

/**
 * The few things that the store asks of a folder. They are as small as the system's own, so that
 * a simulated disk can lose exactly what a real one may lose: what was written but not synced.
 */
export interface Disk {
  /** Null: there is no such file. */
  read(name: string): Promise<Uint8Array | null>;
  /** Makes or replaces a file that only its owner reads. Not durable before `sync`. */
  write(name: string, content: Uint8Array): Promise<void>;
  /** The content is durable. */
  sync(name: string): Promise<void>;
  /** Replaces `to` in one step. Not durable before `syncFolder`. */
  rename(from: string, to: string): Promise<void>;
  /** Quiet when there is no such file. Not durable before `syncFolder`. */
  remove(name: string): Promise<void>;
  list(): Promise<string[]>;
  /** Names are durable: renames and removals before this call outlive a power cut. */
  syncFolder(): Promise<void>;
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

const fsync = async (file: string): Promise<void> => {
  const handle = await open(file, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/**
 * A folder of the file system, made with mode 0700. `durable: false` leaves the syncs out: for
 * simulated devices, thousands of which share one disk and none of which needs to survive its power.
 */
export const openFolder = async (folder: string, durable = true): Promise<Disk> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const at = (name: string) => path.join(folder, name);
  return {
    read: async (name) => {
      try {
        return await readFile(at(name));
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    write: (name, content) => writeFile(at(name), content, { mode: 0o600 }),
    sync: async (name) => {
      if (durable) await fsync(at(name));
    },
    rename: (from, to) => rename(at(from), at(to)),
    remove: (name) => rm(at(name), { force: true }),
    list: () => readdir(folder),
    syncFolder: async () => {
      if (durable) await fsync(folder);
    },
  };
};
