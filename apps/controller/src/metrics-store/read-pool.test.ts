import { expect, test } from "vitest";
import type { Engine } from "./engine.ts";
import { ReadPool } from "./read-pool.ts";

/** Answers when told to, and notes what it was asked. */
class HeldEngine implements Engine {
  readonly isOwn = true;
  readonly asked: string[] = [];
  readonly #held: PromiseWithResolvers<readonly object[]>[] = [];

  command = () => Promise.reject(new Error("reads only"));
  insert = () => Promise.reject(new Error("reads only"));
  close = () => Promise.resolve();

  query(sql: string): Promise<readonly object[]> {
    this.asked.push(sql);
    const held = Promise.withResolvers<readonly object[]>();
    this.#held.push(held);
    return held.promise;
  }

  end(error?: Error): void {
    const held = this.#held.shift();
    if (error) held?.reject(error);
    else held?.resolve([]);
  }
}

test("a connection answers one read after the other, and the next in the queue gets it", async () => {
  const engine = new HeldEngine();
  const pool = new ReadPool([engine]);
  const first = pool.query("one", {});
  const second = pool.query("two", {});
  const third = pool.query("three", {});
  await Promise.resolve();
  expect(engine.asked).toEqual(["one"]);
  engine.end(new Error("no such table"));
  await expect(first).rejects.toThrow("no such table");
  await expect.poll(() => engine.asked).toEqual(["one", "two"]);
  engine.end();
  expect(await second).toEqual([]);
  await expect.poll(() => engine.asked).toEqual(["one", "two", "three"]);
  engine.end();
  expect(await third).toEqual([]);
});

test("a queue that is too long to wait for is refused at its end", async () => {
  const engine = new HeldEngine();
  const pool = new ReadPool([engine]);
  const reads = Array.from({ length: 257 }, () => pool.query("one", {}));
  await expect(pool.query("too many", {})).rejects.toThrow("256 reads of measures wait already");
  for (const read of reads) {
    await expect.poll(() => engine.asked.length).toBeGreaterThan(0);
    engine.end();
    await read;
  }
});
