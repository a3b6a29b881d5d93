import { readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";

/** Pictures and fonts are compressed already. */
const text = /\.(?:js|css|html|svg|json)$/;

/** What fits into one packet gains nothing, in bytes. */
const minSize = 1_000;

/**
 * Writes a `.br` (RFC 7932) and a `.gz` (RFC 1952) beside each text file below a folder: the
 * controller sends them as they are, to whom accepts them. Browsers take Brotli over TLS only.
 */
export async function compressFiles(folder: string): Promise<void> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  await Promise.all(
    names.filter((name) => text.test(name)).map((name) => compress(path.join(folder, name))),
  );
}

async function compress(file: string): Promise<void> {
  const bytes = await readFile(file);
  if (bytes.length < minSize) return;
  await Promise.all([
    writeFile(`${file}.br`, await promisify(brotliCompress)(bytes)),
    writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 })),
  ]);
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error("compress-files.ts FOLDER");
  await compressFiles(folder);
}
