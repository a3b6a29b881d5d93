import { resolve } from "node:path";

const settingsFolder = "WEFT_DATA";

/**
 * An error that ended a start, in one sentence with what to do where the cause is the machine.
 * @param dataDir as set
 */
export function plainWords(error: unknown, dataDir: string): string {
  if (!(error instanceof Error)) return String(error);
  const { code, path } = error as NodeJS.ErrnoException;
  const place = path ?? resolve(dataDir);
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return `There is no space left for ${place}: free some, or set ${settingsFolder} to a folder on another disk.`;
    case "EROFS":
      return `${place} is on a read-only file system: set ${settingsFolder} to a folder that can be written.`;
    case "EACCES":
    case "EPERM":
      return `This user may not write ${place}: change its owner, or set ${settingsFolder} to another folder.`;
    case "ENOTDIR":
    case "EEXIST":
      return `${place} is not a folder: set ${settingsFolder} to a folder.`;
    default:
      return error.message;
  }
}
