import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DamagedArchive, readArchive, writeArchive } from "./archive.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "weft-archive-"));
});
afterAll(() => rm(folder, { recursive: true }));

const large = Buffer.alloc(2_500_000, "0123456789");
const contents: Readonly<Record<string, Buffer>> = {
  empty: Buffer.alloc(0),
  small: Buffer.from("a\tb\n"),
  large,
};

const write = async (name: string) => {
  const file = join(folder, name);
  const facts = new Map<string, unknown>();
  await writeArchive(file, async (writer) => {
    for (const [part, bytes] of Object.entries(contents)) {
      facts.set(
        part,
        await writer.part(part, async (take) => {
          for (let at = 0; at < bytes.length; at += 700_000)
            await take(bytes.subarray(at, at + 700_000));
        }),
      );
    }
    return "the manifest";
  });
  return { file, facts };
};

const read = async (file: string) => {
  const found: Record<string, Buffer> = {};
  const end = await readArchive(file, async (name, bytes) => {
    const chunks: Buffer[] = [];
    for await (const chunk of bytes) chunks.push(chunk);
    found[name] = Buffer.concat(chunks);
  });
  return { found, ...end };
};

test("what was written is read, part by part", async () => {
  const { file, facts } = await write("whole");
  const { found, manifest, parts } = await read(file);
  expect(manifest).toBe("the manifest");
  expect(parts).toEqual(facts);
  for (const [name, bytes] of Object.entries(contents))
    expect(found[name]?.equals(bytes)).toBe(true);
  expect(gunzipSync(await readFile(file)).length).toBeGreaterThan(large.length);
});

test("a file that is there is not written over, and nothing is left beside it", async () => {
  const { file } = await write("once");
  const before = await readFile(file);
  await expect(write("once")).rejects.toThrow("already exists");
  expect((await readFile(file)).equals(before)).toBe(true);
  const end = writeArchive(join(folder, "broken"), () => Promise.reject(new Error("no rows")));
  await expect(end).rejects.toThrow("no rows");
  expect(
    (await readdir(folder)).filter((name) => name.includes("part") || name === "broken"),
  ).toEqual([]);
});

test("a file that was truncated anywhere is rejected", async () => {
  const { file } = await write("cut");
  const bytes = await readFile(file);
  const short = join(folder, "short");
  for (const length of [0, 5, 40, bytes.length >> 1, bytes.length - 9, bytes.length - 1]) {
    await writeFile(short, bytes.subarray(0, length));
    await expect(read(short), `${length} bytes`).rejects.toThrow(DamagedArchive);
  }
});

test("a file with one changed byte, or with more behind it, is none", async () => {
  const { file } = await write("changed");
  const bytes = await readFile(file);
  const other = join(folder, "other");
  // The header's flags, time and system (RFC 1952, bytes 3 to 9) say nothing of the content.
  for (const at of [0, 2, 12, bytes.length >> 2, bytes.length >> 1, bytes.length - 6]) {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ 0x10;
    await writeFile(other, copy);
    await expect(read(other), `byte ${at}`).rejects.toThrow(DamagedArchive);
  }
  await writeFile(other, gzipSync(Buffer.concat([gunzipSync(bytes), Buffer.from("x")])));
  await expect(read(other)).rejects.toThrow("something follows its end");
  await writeFile(other, gzipSync(Buffer.from("another format altogether")));
  await expect(read(other)).rejects.toThrow("begins wrongly");
});
