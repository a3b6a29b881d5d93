import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createImportTurns } from "./import-turns.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Sent {
  readonly name: string;
  readonly userId: number;
  readonly enterpriseId: number;
}
const one = { name: "one", userId: 1, enterpriseId: 1 };

/** Imports that begin when their turn comes, and end when a test says so. */
function world() {
  const turns = createImportTurns();
  const begun: string[] = [];
  const refused: string[] = [];
  const ends = new Map<string, () => void>();
  const send = (...all: readonly Sent[]): void => {
    for (const { name, ...sender } of all) {
      turns.take(sender).then(
        (end) => {
          begun.push(name);
          ends.set(name, end);
        },
        ({ code }: { code: string }) => refused.push(`${name} ${code}`),
      );
    }
  };
  const settled = () => vi.advanceTimersByTimeAsync(0);
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await settled();
  };
  return { begun, refused, send, settled, end };
}
const of = (sender: Omit<Sent, "name">, ...names: readonly string[]): Sent[] =>
  names.map((name) => ({ ...sender, name }));

test("one user has one import at a time, and two are under way in all", async () => {
  const { begun, send, settled, end } = world();
  send(...of(one, "a", "b"), ...of({ userId: 2, enterpriseId: 1 }, "c"));
  send(...of({ userId: 3, enterpriseId: 1 }, "d"));
  await settled();
  expect(begun).toEqual(["a", "c"]);
  await end("a");
  expect(begun).toEqual(["a", "c", "d"]);
  await end("c");
  expect(begun).toEqual(["a", "c", "d", "b"]);
});

test("who comes after all files of another is next, however many of those wait", async () => {
  const { begun, send, settled, end } = world();
  const colleague = { userId: 2, enterpriseId: 1 };
  send(...of(one, "a1", "a2", "a3", "a4"), ...of(colleague, "b1", "b2", "b3", "b4"));
  await settled();
  expect(begun).toEqual(["a1", "b1"]);
  const stranger = { userId: 9, enterpriseId: 2 };
  send(...of(stranger, "s1", "s2"));
  await end("a1");
  expect(begun.slice(2)).toEqual(["s1"]);
  await end("b1");
  // The enterprise of the stranger has one under way: the other one gets the other place.
  expect(begun.slice(3)).toEqual(["a2"]);
  await end("s1");
  expect(begun.slice(4)).toEqual(["s2"]);
});

test("more than eight of a user, or sixteen of an enterprise, are refused, and only after a pause", async () => {
  const { begun, refused, send, settled, end } = world();
  const names = Array.from({ length: 9 }, (_, at) => `a${at}`);
  send(...of(one, ...names));
  await settled();
  expect(begun).toEqual(["a0"]);
  await vi.advanceTimersByTimeAsync(999);
  expect(refused).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(refused).toEqual(["a8 unavailable"]);
  send(...of({ userId: 2, enterpriseId: 1 }, ...names.slice(0, 8).map((name) => `b${name}`)));
  send(...of({ userId: 3, enterpriseId: 1 }, "c"), ...of({ userId: 4, enterpriseId: 2 }, "d"));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(refused.slice(1)).toEqual(["c unavailable"]);
  expect(begun).toEqual(["a0", "ba0"]);
  await end("a0");
  expect(begun).toEqual(["a0", "ba0", "d"]);
});

test("one that waits for half a minute is refused, and what has ended counts no more", async () => {
  const { begun, refused, send, settled, end } = world();
  send(...of(one, "a", "b"));
  await vi.advanceTimersByTimeAsync(30_000);
  expect(refused).toEqual(["b unavailable"]);
  await end("a");
  send(...of(one, ...Array.from({ length: 8 }, (_, at) => `c${at}`)));
  await settled();
  expect(begun).toEqual(["a", "c0"]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(refused).toEqual(["b unavailable"]);
});
