import { expect, test } from "vitest";
import { Timeouts } from "./timeouts.ts";

test("a setting is read once for all flows that end within seconds, and again after that", () => {
  const clock = { now: 0 };
  const settings: Record<string, string> = { udp_timeout: "30\n" };
  const reads: string[] = [];
  const timeouts = new Timeouts(
    (name) => {
      reads.push(name);
      const text = settings[name];
      if (text === undefined) throw new Error("ENOENT");
      return text;
    },
    () => clock.now,
  );
  const found = Array.from({ length: 60_000 }, () => [
    timeouts.of("udp_timeout"),
    timeouts.of("none"),
  ]);
  expect(new Set(found.map(String))).toEqual(new Set(["30000,0"]));
  expect(reads).toEqual(["udp_timeout", "none"]);
  settings.udp_timeout = "60\n";
  clock.now = 5_000;
  expect(timeouts.of("udp_timeout")).toBe(60_000);
});
