import { readFileSync, renameSync, writeFileSync } from "node:fs";

/** Null: it cannot be read, mostly because it is not there. */
export const textOf = (file: string): string | null => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
};

/**
 * Replaces a file at once: a program that reads it meanwhile has the old or the new text.
 * @param mode of the new file; undefined: 0666 without the umask
 */
export const replaceFile = (file: string, text: string, mode?: number): void => {
  writeFileSync(`${file}.new`, text, mode === undefined ? {} : { mode });
  renameSync(`${file}.new`, file);
};
