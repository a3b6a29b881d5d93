/** Kernel settings below /proc/sys/net that the edge changes, and what they were before. */
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Device } from "#drivers/device.ts";

const fileOf = ({ dataDir }: Pick<Device, "dataDir">): string =>
  join(dataDir, "kernel-settings.json");
const pathOf = (key: string): string => join("/proc/sys/net", key);

type Before = Readonly<Record<string, string>>;

const readBefore = async (device: Pick<Device, "dataDir">): Promise<Before> => {
  try {
    return JSON.parse(await readFile(fileOf(device), "utf8")) as Before;
  } catch {
    return {};
  }
};

/** Sets one; the value that it had before the first time is kept for `giveBackSettings`. */
export const setKernelSetting = async (
  device: Pick<Device, "dataDir">,
  key: string,
  value: string,
): Promise<void> => {
  const before = await readBefore(device);
  if (!(key in before)) {
    const text = (await readFile(pathOf(key), "utf8")).trim();
    const file = fileOf(device);
    await writeFile(`${file}.new`, JSON.stringify({ ...before, [key]: text }));
    await rename(`${file}.new`, file);
  }
  await writeFile(pathOf(key), value);
};

/** Whether it was ever set by `setKernelSetting` and not given back. */
export const isSetByUs = async (device: Pick<Device, "dataDir">, key: string): Promise<boolean> =>
  key in (await readBefore(device));

/** Sets all to what they were, in the order in which they were changed; an interface may be gone. */
export const giveBackSettings = async (device: Pick<Device, "dataDir">): Promise<void> => {
  for (const [key, value] of Object.entries(await readBefore(device)))
    await writeFile(pathOf(key), value).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
  await rm(fileOf(device), { force: true });
};
