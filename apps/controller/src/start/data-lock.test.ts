import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockData } from "./data-lock.ts";

let folder: string;
let container: ChildProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "weft-lock-"));
});
afterEach(async () => {
  if (container && container.exitCode === null && container.signalCode === null)
    await end("SIGKILL");
  await rm(folder, { recursive: true });
});

/** Takes the folder in a process namespace of its own, as a container does; resolves when it has it. */
const lockElsewhere = async (): Promise<void> => {
  const script = `import { lockData } from ${JSON.stringify(join(import.meta.dirname, "data-lock.ts"))};
    const lock = await lockData(${JSON.stringify(folder)});
    await lock.announce("http://elsewhere:8080");
    console.log("held by " + process.pid);
    setInterval(() => {}, 60_000);`;
  const isolate = ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc"];
  container = spawn(
    "unshare",
    [...isolate, "--kill-child=SIGKILL", process.execPath, "--input-type=module", "-e", script],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const [text] = (await once(container.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  expect(text.toString()).toBe("held by 1\n");
};
const end = async (signal: NodeJS.Signals): Promise<void> => {
  // Its output closes with the last process of the container.
  const gone = once(container as ChildProcess, "close");
  container?.kill(signal);
  await gone;
};

test("a folder that another container works on is taken, and free once that has ended", async () => {
  await lockElsewhere();
  await expect(lockData(folder)).rejects.toThrow(
    `Weft runs already on ${folder}: process 1 of another container, at http://elsewhere:8080. End it`,
  );
  await end("SIGKILL");
  const lock = await lockData(folder);
  await lock.announce("http://here");
  await expect(lockData(folder)).rejects.toThrow(`process ${process.pid}, at http://here.`);
  await lock.release();
  expect(await readdir(folder)).toEqual([]);
});

test("the folder is this user's alone, also one that others could read", async () => {
  const isRoot = process.getuid?.() === 0;
  const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
  const made = join(folder, "made");
  const lock = await lockData(made);
  expect(await modeOf(made)).toBe(isRoot ? 0o711 : 0o700);
  await lock.release();
  await chmod(made, 0o755);
  await (await lockData(made)).release();
  expect(await modeOf(made)).toBe(isRoot ? 0o711 : 0o700);
  // What an operator gave to a group stays.
  await chmod(made, 0o750);
  await (await lockData(made)).release();
  expect(await modeOf(made)).toBe(0o750);
});
