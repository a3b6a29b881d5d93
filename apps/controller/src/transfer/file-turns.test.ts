import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createFileTurns } from "./file-turns.ts";

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
  const turns = createFileTurns(30_000);
  const begun: string[] = [];
  const refused: string[] = [];
  const ends = new Map<string, () => void>();
  const clients = new Map<string, AbortController>();
  const send = (...all: readonly Sent[]): void => {
    for (const { name, ...sender } of all) {
      const client = new AbortController();
      clients.set(name, client);
      turns.take(sender, client.signal).then(
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
  const leave = (...names: readonly string[]): void => {
    for (const name of names)
      clients.get(name)?.abort(Object.assign(new Error(), { code: "gone" }));
  };
  return { begun, refused, send, settled, end, leave };
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

test("a file whose client left leaves its place to the next ones, and is never begun", async () => {
  const { begun, refused, send, settled, end, leave } = world();
  send(...of(one, "a", "b", "c", "d", "e", "f", "g", "h"));
  await settled();
  leave("b", "d", "h");
  // What is under way is not ended by it.
  leave("a");
  // Of eight places three are free again.
  send(...of(one, "i", "j", "k"));
  await settled();
  expect(refused).toEqual(["b gone", "d gone", "h gone"]);
  for (const name of ["a", "c", "e", "f", "g", "i", "j", "k"]) await end(name);
  expect(begun).toEqual(["a", "c", "e", "f", "g", "i", "j", "k"]);
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

test("who sends one file after the other is not before those who wait with several", async () => {
  const { begun, send, settled, end } = world();
  const file = (enterpriseId: number, turn: number): Sent => ({
    name: `${enterpriseId} ${turn}`,
    userId: enterpriseId,
    enterpriseId,
  });
  const others = [2, 3, 4, 5];
  send(...of(one, "a1", "a2"), ...others.map((enterprise) => file(enterprise, 0)));
  await settled();
  expect(begun).toEqual(["a1", "2 0"]);
  for (let turn = 0; turn < 6; turn += 1) {
    const name = begun[turn] ?? "";
    const sender = Number(name.split(" ")[0]);
    await end(name);
    if (others.includes(sender)) send(file(sender, turn + 1));
    await settled();
  }
  expect(begun).toContain("a2");
});

test("three enterprises that take all places keep no other one from waiting", async () => {
  const { begun, refused, send, settled, end } = world();
  for (const userId of [1, 2, 3, 4, 5]) {
    const enterpriseId = Math.ceil(userId / 2);
    const names = Array.from({ length: 8 }, (_, at) => `${userId}.${at}`);
    send(...of({ userId, enterpriseId }, ...names));
  }
  await settled();
  expect(begun).toHaveLength(2);
  const stranger = { userId: 9, enterpriseId: 9 };
  send(...of(stranger, "s1", "s2"));
  await settled();
  // Of those with most the last ones have lost their places.
  expect(refused).toEqual(["4.7 unavailable", "2.7 unavailable"]);
  for (const turn of [0, 1, 2]) await end(begun[turn] ?? "");
  expect(begun.slice(2)).toEqual(["3.0", "5.0", "s1"]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(refused).toHaveLength(2);
});
