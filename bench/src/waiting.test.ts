import { expect, test, vi } from "vitest";
import { waitingFor, waits, within } from "./waiting.ts";

test("a run says what it waits for, and what it waited for when it was broken off", async () => {
  const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
  expect(waits()).toBe("nothing");
  let end: (value: number) => void = () => undefined;
  const seeded = waitingFor("seeds rows", () =>
    waitingFor("vacuums", () => new Promise<number>((resolve) => (end = resolve))),
  );
  expect(said.mock.calls.map(([line]) => String(line).replace(/^[\d.]+ s: /, ""))).toEqual([
    "seeds rows",
    "vacuums",
  ]);
  expect(waits()).toMatch(/^seeds rows \(for [\d.]+ s\), vacuums \(for [\d.]+ s\)$/);
  end(7);
  expect(await seeded).toBe(7);
  await expect(waitingFor("fails", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(waits()).toBe("nothing");
});

test("a wait without end ends, and names what did not come", async () => {
  const never = new Promise<never>(() => undefined);
  await expect(within("an answer", 1, never)).rejects.toThrow("not within 0.0 s: an answer");
  expect(await within("an answer", 60_000, Promise.resolve("here"))).toBe("here");
});
