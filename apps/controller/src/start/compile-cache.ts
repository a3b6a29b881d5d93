/**
 * Compiled code of the program in the data folder: a start loads some fifteen hundred files, and to compile them takes a second
 * of processor time, which devices wait for after a crash. Node checks what it finds by the text of each file.
 */
import { existsSync } from "node:fs";
import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";

/**
 * What is imported from now on is compiled once for all starts. The folder is for this user alone, as code that runs has to
 * be: one that is not there yet is made later with those rights (data-folder.ts), and the first start goes without.
 */
export function useCompiled(dataDir: string): void {
  if (existsSync(dataDir)) enableCompileCache(join(dataDir, "compile-cache"));
}

/** Writes what was compiled: a process that is killed would not. A disk that is full is no failure. */
export const keepCompiled = (): void => flushCompileCache();
