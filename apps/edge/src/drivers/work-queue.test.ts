import { expect, test } from "vitest";
import { createQueue } from "./work-queue.ts";

test("work that goes on for long is named in the log until it ends, and what comes after it waits", async () => {
  const lines: object[] = [];
  const queue = createQueue({ warn: (fields) => lines.push(fields) }, 20);
  let end = (): void => undefined;
  const ended: string[] = [];
  const slow = queue(
    "underlay: start DHCP on wan1",
    () => new Promise<void>((done) => (end = done)),
  );
  const next = queue("probe: tend", async () => ended.push("next"));
  await expect.poll(() => lines.length, { timeout: 30_000 }).toBeGreaterThan(1);
  expect(lines[0]).toMatchObject({ work: "underlay: start DHCP on wan1" });
  expect(ended).toEqual([]);
  end();
  await Promise.all([slow, next]);
  expect(ended).toEqual(["next"]);
});

test("failed work is reported to its caller, and the next item runs", async () => {
  const queue = createQueue({ warn: () => undefined });
  await expect(queue("a", () => Promise.reject(new Error("why")))).rejects.toThrow("why");
  expect(await queue("b", async () => 2)).toBe(2);
});
