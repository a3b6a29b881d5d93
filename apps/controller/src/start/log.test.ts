import { mkdtemp, readFile, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { banner, openStartLog } from "./log.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "weft-start-log-"));
});
afterEach(() => rm(dataDir, { recursive: true }));

test("in a terminal each step is a line with its time, and the log is in a file", async () => {
  const printed: string[] = [];
  const log = openStartLog({ logLevel: "info", dataDir }, true, (text) => printed.push(text));
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

test("a log file that has grown is put aside at the next start", async () => {
  const open = () => openStartLog({ logLevel: "info", dataDir }, true, () => undefined);
  open().logger.info("first");
  await truncate(join(dataDir, "controller.log"), 30_000_000);
  open().logger.info("second");
  expect((await readFile(join(dataDir, "controller.log"), "utf8")).trim()).toContain("second");
  expect((await readFile(join(dataDir, "controller.log.old"))).length).toBe(30_000_000);
});

test("the last lines say where, who, and how to end it", () => {
  const printed = { url: "http://127.0.0.1:8080", isPasswordSet: false, logFile: "/data/c.log" };
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
