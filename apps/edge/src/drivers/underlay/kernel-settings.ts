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

const writeBefore = async (device: Pick<Device, "dataDir">, before: Before): Promise<void> => {
  const file = fileOf(device);
  await writeFile(`${file}.new`, JSON.stringify(before));
  await rename(`${file}.new`, file);
};

/** What it is a setting of may be gone: an interface, or a module of the kernel. */
const writeSetting = (key: string, value: string): Promise<void> =>
  writeFile(pathOf(key), value).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });

/** Sets one; the value that it had before the first time is kept for `giveBackSettings`. */
export const setKernelSetting = async (
  device: Pick<Device, "dataDir">,
  key: string,
  value: string,
): Promise<void> => {
  const before = await readBefore(device);
  if (!(key in before)) {
    const text = (await readFile(pathOf(key), "utf8")).trim();
    await writeBefore(device, { ...before, [key]: text });
  }
  await writeFile(pathOf(key), value);
};

/** Sets one to what it was before the first `setKernelSetting`, and forgets that; one that was never set stays as it is. */
export const giveBackSetting = async (
  device: Pick<Device, "dataDir">,
  key: string,
): Promise<void> => {
  const { [key]: value, ...others } = await readBefore(device);
  if (value === undefined) return;
  await writeSetting(key, value);
  await writeBefore(device, others);
};

/** Whether it was ever set by `setKernelSetting` and not given back. */
export const isSetByUs = async (device: Pick<Device, "dataDir">, key: string): Promise<boolean> =>
  key in (await readBefore(device));

/** Sets all to what they were, in the order in which they were changed. */
export const giveBackSettings = async (device: Pick<Device, "dataDir">): Promise<void> => {
  for (const [key, value] of Object.entries(await readBefore(device)))
    await writeSetting(key, value);
  await rm(fileOf(device), { force: true });
};
