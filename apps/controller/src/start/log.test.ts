import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { languageOf } from "./language.ts";
import { banner, openStartLog } from "./log.ts";
import { openLogFile } from "./log-file.ts";
import { steps, stepText } from "./steps.ts";
import { plainWords } from "./trouble.ts";

const pipe = { toFile: true, isVerbose: false, isTerminal: false, language: "en" } as const;

/** Sources of the controller. */
const root = join(import.meta.dirname, "..");

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "weft-start-log-"));
});
afterEach(() => rm(dataDir, { recursive: true }));

test("each step is a line with its time, and the log is in a file", async () => {
  const printed: string[] = [];
  const log = openStartLog({ logLevel: "info", dataDir }, pipe, (text) => printed.push(text));
  log.logger.info({ port: 5432 }, "PostgreSQL started");
  log.logger.info({ requestId: "r1", status: 200 }, "request");
  log.logger.warn({ err: new Error("not yet") }, "alarms without metrics");
  log.logger.error({ err: new Error("disk full") }, "metrics not kept");
  log.started();
  log.logger.info("state sent");
  log.logger.child({ role: "gateway" }).error("edge listener gone");

  const file = join(dataDir, "controller.log");
  expect(log.file).toBe(file);
  expect(printed.map((line) => line.replace(/\d+\.\d s/, "N s"))).toEqual([
    "weft: PostgreSQL started, N s\n",
    `weft: error: metrics not kept: disk full (more in ${file})\n`,
    `weft: error: edge listener gone (more in ${file})\n`,
  ]);
  const lines = (await readFile(file, "utf8")).trim().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    "PostgreSQL started",
    "request",
    "alarms without metrics",
    "metrics not kept",
    "state sent",
    "edge listener gone",
  ]);
});

test("a log file that has grown is put aside, and nothing else is kept", async () => {
  const file = openLogFile(dataDir, 10);
  for (const line of ["first line\n", "second line\n", "third line\n"]) {
    expect(file.write(line)).toBeNull();
  }
  expect(await readFile(file.path, "utf8")).toBe("third line\n");
  expect(await readFile(`${file.path}.old`, "utf8")).toBe("second line\n");
});

test("the language is that of the locale", () => {
  expect(languageOf({ LANG: "zh_CN.UTF-8" })).toBe("zh");
  expect(languageOf({ LANG: "zh_CN.UTF-8", LC_ALL: "C" })).toBe("en");
  expect(languageOf({})).toBe("en");
  expect(stepText("PostgreSQL started", "zh", true)).toBe("PostgreSQL 已启动");
  expect(stepText("PostgreSQL started", "zh", false)).toBeNull();
  expect(stepText("the demonstration's past is written", "en", false)).not.toBeNull();
});

test("every step is a line that a part of the controller writes", async () => {
  const files = (await readdir(root, { recursive: true })).filter((file) => file.endsWith(".ts"));
  const texts = await Promise.all(
    files
      .filter((file) => !file.endsWith(".test.ts") && !file.endsWith("steps.ts"))
      .map((file) => readFile(join(root, file), "utf8")),
  );
  const missing = steps.filter(({ begins }) => !texts.some((text) => text.includes(begins)));
  expect(missing).toEqual([]);
});

test("an error of the machine names the place and the setting", () => {
  const full = Object.assign(new Error("write"), { code: "ENOSPC", path: "/data/x" });
  expect(plainWords(full, "/data")).toMatch(/no space left for \/data\/x: .*WEFT_DATA/);
  expect(plainWords(new Error("as it is"), "/data")).toBe("as it is");
});

test("the last lines name the address, the account, and how to stop it", () => {
  const printed = {
    url: "http://127.0.0.1:8080",
    isPasswordSet: false,
    logFile: "/data/c.log",
    isFilling: false,
    language: "en",
  } as const;
  expect(
    banner({ ...printed, password: "abc" })
      .trim()
      .split("\n"),
  ).toEqual([
    "Weft: http://127.0.0.1:8080",
    "First administrator: admin, password abc",
    "Log: /data/c.log",
    "Stop: Ctrl-C",
  ]);
  expect(banner({ ...printed, password: null, logFile: null })).toContain("npm run admin:password");
  // What was set is not repeated on a screen.
  const set = banner({ ...printed, password: null, isPasswordSet: true });
  expect(set).toContain("Password: WEFT_ADMIN_PASSWORD");
});
