import { describe, expect, test } from "vitest";
import { firstCommandLines, refuseUnreadable } from "./first-starts.ts";
import { readJson } from "./repository.ts";

test("the campaign `commands` has every script of package.json that another one does not run", () => {
  const { scripts } = readJson<{ scripts: Record<string, string> }>("package.json");
  const ran = firstCommandLines.map(
    ({ line }) => line.split(" ").filter((part) => part !== "run")[1],
  );
  // The campaigns themselves, the one of starts, and the program that needs no package.
  const elsewhere = ["start", "crawl", "crawl:full", "test:full", "test:clone", "lock"];
  expect([...new Set(ran)].concat(elsewhere).sort()).toEqual(Object.keys(scripts).sort());
});

describe("what a start prints in a terminal", () => {
  const steps = "> weft@0.1.0 start\r\n> exec node tools/src/run.mjs\r\n\r\nweft: ready, 2.1 s\r\n";
  const banner =
    "\r\nWeft: http://localhost:8080\r\nFirst administrator: admin, password aB3x\r\n" +
    "Log: /data/controller.log\r\nStop: Ctrl-C\r\n";

  test("is steps and a banner at the end", () => {
    expect(() => refuseUnreadable(steps + banner)).not.toThrow();
  });

  test.each([
    ["a line of the log", `{"level":30,"time":1,"msg":"ready"}\r\n${banner}`, "for no person"],
    ["a stack", `Error: no\r\n    at start (/weft/main.ts:3:7)\r\n${banner}`, "for no person"],
    ["a line after the banner", `${banner}weft: one more, 0.1 s\r\n`, "for the user"],
    ["no banner", "", "for the user"],
  ])("refuses %s", (_, text, reason) => {
    expect(() => refuseUnreadable(steps + text)).toThrow(reason);
  });
});
