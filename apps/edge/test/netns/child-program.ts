import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "../../bundle.ts";

const source = new URL("./child.ts", import.meta.url).pathname;

let made: Promise<string> | undefined;

/**
 * Path of `child.ts` with all that it imports as one file, made once for the tests of a process. Tests start some
 * hundred and fifty machines: to load its modules one by one takes most of the processor time of a start.
 */
export const childProgram = (): Promise<string> => {
  made ??= make();
  return made;
};

async function make(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "weft-netns-child-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, "child.mjs");
  await bundle(source, outfile, "0.0.0-test");
  return outfile;
}
