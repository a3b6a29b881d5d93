import { closeSync, fstatSync, openSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeDataFolder } from "./data-folder.ts";

/** The log is put aside when it grew to this, so that it and the one before take at most twice as much. */
const maxLogBytes = 20_000_000;

/** `controller.log` of a data folder, bounded; docs/adr/0023-log-file.md says why it is own code. */
export interface LogFile {
  readonly path: string;
  /**
   * Appends a line before it returns: the last lines before a crash are the ones that matter.
   * @returns what was wrong, where it could not be written
   */
  write(line: string): Error | null;
}

/** @throws ErrnoException where the folder or the file cannot be created or written */
export function openLogFile(folder: string, maxBytes = maxLogBytes): LogFile {
  makeDataFolder(folder);
  const path = join(folder, "controller.log");
  let file = openSync(path, "a", 0o640);
  let size = fstatSync(file).size;
  const putAside = (): void => {
    renameSync(path, `${path}.old`);
    closeSync(file);
    file = openSync(path, "a", 0o640);
    size = 0;
  };
  return {
    path,
    write(line) {
      try {
        if (size >= maxBytes) putAside();
        size += writeSync(file, line);
        return null;
      } catch (error) {
        return error as Error;
      }
    },
  };
}
