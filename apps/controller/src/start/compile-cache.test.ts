import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const file = (name: string): string => JSON.stringify(join(import.meta.dirname, name));

/** Starts a program as the controller's begins, which is killed then. @returns what Node says of its compile cache */
async function startIn(dataDir: string): Promise<string> {
  const program = `
    const { keepCompiled, useCompiled } = await import(${file("compile-cache.ts")});
    useCompiled(${JSON.stringify(dataDir)});
    await import(${file("settings.ts")});
    keepCompiled();
    process.kill(process.pid, "SIGKILL");`;
  const env = { ...process.env, NODE_COMPILE_CACHE: "", NODE_DEBUG_NATIVE: "COMPILE_CACHE" };
  const args = ["--input-type=module", "--eval", program];
  const started = promisify(execFile)(process.execPath, args, { env, maxBuffer: 2 ** 26 });
  return started.then(
    () => "",
    ({ stderr }: { readonly stderr: string }) => stderr,
  );
}

test("a start after one that was killed finds the code compiled", async () => {
  const folder = await mkdtemp(join(tmpdir(), "weft-compiled-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const accepted = /settings\.ts[^\n]* was accepted/;
  expect(await startIn(folder)).not.toMatch(accepted);
  expect(await startIn(folder)).toMatch(accepted);
});

test("a data folder that is not there yet is not made for it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "weft-compiled-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await startIn(join(folder, "data"));
  expect(await readdir(folder)).toEqual([]);
});
