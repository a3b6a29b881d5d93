import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { endLeftBehind, programsWith } from "./left-behind.ts";
import { inRoot } from "./repository.ts";

/** A run that starts a daemon, of another session and without its environment, prints its mark and ends. */
const run = `
  import { spawnSync } from "node:child_process";
  import { markOwn } from ${JSON.stringify(inRoot("tools/src/left-behind.ts"))};
  console.log(markOwn());
  spawnSync("setsid", ["--fork", "env", "--ignore-environment", "sleep", "60"], { stdio: "ignore" });
`;

async function ranOnce(): Promise<string> {
  const argv = ["--input-type=module", "--eval", run];
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "inherit"] });
  const [mark] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return mark.trim();
}

test.runIf(process.platform === "linux")(
  "a daemon that a run left behind is named and ended, and no other",
  async () => {
    const [own, foreign] = [await ranOnce(), await ranOnce()];
    const daemon = { pid: expect.any(Number), command: "sleep 60" };
    await expect.poll(() => programsWith(own)).toEqual([daemon]);
    await expect.poll(() => programsWith(foreign)).toEqual([daemon]);
    expect(await endLeftBehind(() => programsWith(own), 0)).toEqual([daemon]);
    await expect.poll(() => programsWith(own)).toEqual([]);
    expect(await endLeftBehind(() => programsWith(foreign), 0)).toEqual([daemon]);
  },
);

/** Takes the folder, says how that went, and stays if it has it. */
const taker = `
  import { markOwn, takeFolder } from ${JSON.stringify(inRoot("tools/src/left-behind.ts"))};
  try {
    await takeFolder(process.argv[1], markOwn());
    console.log("taken");
    setTimeout(() => {}, 60_000);
  } catch ({ message }) {
    console.log(message);
  }
`;

test.runIf(process.platform === "linux")(
  "a second run in one folder is refused with the process that has it; that of a killed run is taken over",
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "weft-run-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const take = async () => {
      const argv = ["--input-type=module", "--eval", taker, folder];
      const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "inherit"] });
      onTestFinished(() => void child.kill("SIGKILL"));
      const [line] = await once(child.stdout, "data");
      return { child, said: String(line).trim() };
    };
    const orphans = await ranOnce();
    writeFileSync(path.join(folder, `run-${orphans}-${process.pid}`), "");
    const first = await take();
    expect(first.said).toBe("taken");
    await expect.poll(() => programsWith(orphans)).toEqual([]);
    const second = await take();
    expect(second.said).toContain(`process ${first.child.pid} is running tests here`);
    if (second.child.exitCode === null) await once(second.child, "exit");
    const [own = ""] = readdirSync(folder);
    expect(readdirSync(folder)).toEqual([expect.stringMatching(`-${first.child.pid}$`)]);
    first.child.kill("SIGKILL");
    await once(first.child, "exit");
    expect((await take()).said).toBe("taken");
    expect(existsSync(path.join(folder, own))).toBe(false);
  },
);
