import { chmodSync, mkdirSync, statSync } from "node:fs";

/**
 * Makes the data folder for this user alone, and closes to others one that an earlier version made. Started as
 * root, PostgreSQL may have to run as nobody: that user may pass through, and read nothing.
 */
export function makeDataFolder(folder: string): void {
  const uid = process.getuid?.();
  const forOthers = uid === 0 ? 0o1 : 0;
  mkdirSync(folder, { recursive: true, mode: 0o700 | (forOthers << 3) | forOthers });
  const stats = statSync(folder);
  const mode = stats.mode & 0o777;
  // Group rights alone were given by an operator, and stay; those of all others came with the system's default.
  const isOpen = (mode & 0o007 & ~forOthers) !== 0;
  const closed = isOpen ? 0o700 | (forOthers << 3) | forOthers : mode;
  if (stats.uid === uid && closed !== mode) chmodSync(folder, closed);
}
