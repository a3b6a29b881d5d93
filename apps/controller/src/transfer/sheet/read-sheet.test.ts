import { createHook } from "node:async_hooks";
import { readdir, readFile } from "node:fs/promises";
import { getPriority } from "node:os";
import { utils, write } from "@e965/xlsx";
import { expect, test } from "vitest";
import { readSheet, UnreadableSheet } from "./read-sheet.ts";

const textBytes = (text: string) => Uint8Array.from(new TextEncoder().encode(text));

/** A workbook with two cells, the second of them at this address. */
function workbook(last: string): Uint8Array<ArrayBuffer> {
  const sheet = { A1: { t: "s", v: "name" }, [last]: { t: "s", v: "far" }, "!ref": `A1:${last}` };
  const book = utils.book_new(sheet as never, "rows");
  return Uint8Array.from(write(book, { type: "buffer", bookType: "xlsx" }) as Uint8Array);
}

test("a sheet with more cells than any import has is refused before its rows are made", async () => {
  // Sixteen thousand columns, of which one is used.
  await expect(readSheet(workbook("XFD50"), 5_000)).rejects.toThrow(UnreadableSheet);
  expect(await readSheet(workbook("C2"), 5_000)).toEqual([
    { row: 1, cells: ["name", "", ""] },
    { row: 2, cells: ["", "", "far"] },
  ]);
});

test("a line of csv with more columns than any import has is refused", async () => {
  const wide = `name\n${"a,".repeat(600_000)}\n`;
  await expect(readSheet(textBytes(wide), 5_000)).rejects.toThrow(UnreadableSheet);
  expect(await readSheet(textBytes("name\none\n"), 5_000)).toHaveLength(2);
});

test("a file that unpacks to more than any import has is refused, and unpacked in a thread of its own", async () => {
  const rowsOf = (rows: number) => {
    const cells = Array.from({ length: rows }, (_, at) => [`${at}${"x".repeat(7_800)}`]);
    const book = utils.book_new(utils.aoa_to_sheet([["name"], ...cells]), "rows");
    const options = { type: "buffer", bookType: "xlsx", compression: true, bookSST: true } as const;
    return Uint8Array.from(write(book, options) as Uint8Array);
  };
  // Work of zlib that this thread would have the threads of the process do, which hash passwords too.
  let unpackings = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === "ZLIB") unpackings += 1;
    },
  }).enable();
  try {
    await expect(readSheet(rowsOf(4_500), 5_000)).rejects.toThrow("unpacks to more than 32 MB");
    await expect(readSheet(rowsOf(1_100), 5_000)).rejects.toThrow("too much text");
    expect(await readSheet(rowsOf(1_000), 5_000)).toHaveLength(1_001);
  } finally {
    hook.disable();
  }
  expect(unpackings).toBe(0);
});

test("a file that takes more processor time than it may is refused", async () => {
  const large = textBytes(`${"a,".repeat(90)}a\n`.repeat(5_000));
  await expect(readSheet(large, 5_000, { busy: 1 })).rejects.toThrow("takes too long");
  expect(await readSheet(large, 5_000)).toHaveLength(5_000);
});

/** Nice values of the threads of this process. */
async function niceValues(): Promise<number[]> {
  const tasks = await readdir("/proc/self/task");
  const stats = await Promise.all(
    tasks.map((task) => readFile(`/proc/self/task/${task}/stat`, "utf8").catch(() => "")),
  );
  // The 19th field; the second one, the name, may have blanks.
  return stats
    .filter(Boolean)
    .map((stat) => Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]));
}

test.each([
  ["csv", textBytes("a,".repeat(99).concat("a\n").repeat(4_000))],
  ["xlsx", workbook("CV4000")],
])(
  "a large %s file is read beside the work of the process, in a thread that gives way to it",
  async (_, file) => {
    const own = getPriority();
    let isRead = false;
    let turns = 0;
    const seen = new Set<number>();
    const reading = readSheet(file, 5_000).finally(() => {
      isRead = true;
    });
    while (!isRead) {
      turns += 1;
      for (const nice of await niceValues()) seen.add(nice);
    }
    expect((await reading).length).toBeGreaterThan(1);
    // Read in this thread, it would let in nothing before it is done.
    expect(turns).toBeGreaterThan(3);
    expect([...seen]).toContain(Math.min(own + 10, 19));
    expect(getPriority()).toBe(own);
  },
);
