/**
 * The file of a backup: a gzip stream of frames. A frame is its kind (1 byte), its length (4 bytes,
 * big endian) and its content. Parts come first, each with its name, its bytes and its end; the
 * manifest, which knows the hash of every part, is the last frame.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";

const magic = Buffer.from("weft-backup-1\n");
const kinds = { part: 1, data: 2, end: 3, manifest: 4 } as const;
const largestFrame = 1_048_576;
const largestManifest = 16_777_216;

/** What a part was when it was written, and has to be when it is read. */
export interface PartFacts {
  readonly bytes: number;
  /** SHA-256, hex. */
  readonly sha256: string;
}

/** The file is not what a backup wrote. The message is for the operator. */
export class DamagedArchive extends Error {
  constructor(what: string) {
    super(`This is no whole backup: ${what}. Take another copy of it.`);
    this.name = "DamagedArchive";
  }
}

export interface ArchiveWriter {
  /** Writes one part; `fill` gets what takes its bytes. */
  part(
    name: string,
    fill: (write: (chunk: Buffer) => Promise<void>) => Promise<void>,
  ): Promise<PartFacts>;
}

const frame = (kind: number, content: Buffer): Buffer => {
  const header = Buffer.alloc(5);
  header.writeUInt8(kind);
  header.writeUInt32BE(content.length, 1);
  return Buffer.concat([header, content]);
};

/**
 * Writes a file that appears whole or not at all: under another name first, flushed, then renamed.
 * @param fill writes the parts and gives the text of the manifest
 * @throws Error when the file is there already, or cannot be written
 */
export async function writeArchive(
  file: string,
  fill: (writer: ArchiveWriter) => Promise<string>,
): Promise<void> {
  const text = `${file}.${process.pid}.part`;
  const gzip = createGzip();
  const target = createWriteStream(text, { flags: "wx", mode: 0o600, flush: true });
  const written = pipeline(gzip, target);
  // Its failure is reported by the wait below, or by a write.
  written.catch(() => undefined);
  const send = async (bytes: Buffer): Promise<void> => {
    if (!gzip.write(bytes)) await Promise.race([once(gzip, "drain"), written]);
  };
  try {
    await send(magic);
    const manifest = await fill({ part: (name, bytes) => writePart(send, name, bytes) });
    await send(frame(kinds.manifest, Buffer.from(manifest)));
    gzip.end();
    await written;
    await refuseExisting(file);
    await rename(text, file);
    await syncFolder(dirname(file));
  } catch (error) {
    gzip.destroy();
    await written.catch(() => undefined);
    await rm(text, { force: true });
    throw error;
  }
}

async function writePart(
  send: (bytes: Buffer) => Promise<void>,
  name: string,
  fill: (write: (chunk: Buffer) => Promise<void>) => Promise<void>,
): Promise<PartFacts> {
  const hash = createHash("sha256");
  let bytes = 0;
  await send(frame(kinds.part, Buffer.from(name)));
  await fill(async (chunk) => {
    hash.update(chunk);
    bytes += chunk.length;
    for (let at = 0; at < chunk.length; at += largestFrame) {
      await send(frame(kinds.data, chunk.subarray(at, at + largestFrame)));
    }
  });
  await send(frame(kinds.end, Buffer.alloc(0)));
  return { bytes, sha256: hash.digest("hex") };
}

/** @throws Error when the file exists: the backup of yesterday is not lost to the one of today */
export async function refuseExisting(file: string): Promise<void> {
  const fileHandle = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (!fileHandle) return;
  await fileHandle.close();
  throw new Error(`${file} already exists; name another file.`);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}

/** Reads exactly this many bytes at a time out of a stream of chunks. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** @throws DamagedArchive when the stream ends before */
  async read(bytes: number): Promise<Buffer> {
    const parts = [this.#rest];
    let length = this.#rest.length;
    while (length < bytes) {
      const next = await this.#chunks.next();
      if (next.done) throw new DamagedArchive("it ends too early");
      parts.push(next.value);
      length += next.value.length;
    }
    const all = parts.length === 1 ? this.#rest : Buffer.concat(parts);
    this.#rest = all.subarray(bytes);
    return all.subarray(0, bytes);
  }

  async isAtEnd(): Promise<boolean> {
    return this.#rest.length === 0 && (await this.#chunks.next()).done === true;
  }
}

/**
 * Reads a file from its beginning to its end.
 * @param take gets every part and must read its bytes
 * @returns the manifest's text, and what each part was found to be
 * @throws DamagedArchive; what `take` threw
 */
export async function readArchive(
  file: string,
  take: (name: string, bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<{ readonly manifest: string; readonly parts: ReadonlyMap<string, PartFacts> }> {
  const source = createReadStream(file);
  const gunzip = createGunzip();
  const reading = pipeline(source, gunzip);
  reading.catch(() => undefined);
  try {
    return await readFrames(new ByteReader(gunzip), take);
  } catch (error) {
    // Error codes of zlib for data in another format.
    const { code } = error as { code?: unknown };
    if (typeof code === "string" && code.startsWith("Z_")) {
      throw new DamagedArchive("its bytes are not those that were written");
    }
    throw error;
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

async function readFrames(
  reader: ByteReader,
  take: (name: string, bytes: AsyncIterable<Buffer>) => Promise<void>,
) {
  if (!(await reader.read(magic.length)).equals(magic))
    throw new DamagedArchive("it begins wrongly");
  const parts = new Map<string, PartFacts>();
  for (;;) {
    const { kind, content } = await readFrame(reader, largestManifest);
    if (kind === kinds.manifest) {
      if (!(await reader.isAtEnd())) throw new DamagedArchive("something follows its end");
      return { manifest: content.toString(), parts };
    }
    if (kind !== kinds.part) throw new DamagedArchive("its frames are out of order");
    const name = content.toString();
    if (parts.has(name)) throw new DamagedArchive(`${name} is in it twice`);
    parts.set(name, await readPart(reader, (bytes) => take(name, bytes)));
  }
}

async function readFrame(reader: ByteReader, maxBytes: number) {
  const header = await reader.read(5);
  const length = header.readUInt32BE(1);
  if (length > maxBytes) throw new DamagedArchive("a frame is too long");
  return { kind: header.readUInt8(), content: await reader.read(length) };
}

async function readPart(
  reader: ByteReader,
  take: (bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<PartFacts> {
  const hash = createHash("sha256");
  let length = 0;
  let isWhole = false;
  async function* bytes(): AsyncGenerator<Buffer> {
    for (;;) {
      const { kind, content } = await readFrame(reader, largestFrame);
      if (kind === kinds.end) break;
      if (kind !== kinds.data) throw new DamagedArchive("its frames are out of order");
      hash.update(content);
      length += content.length;
      yield content;
    }
    isWhole = true;
  }
  await take(bytes());
  if (!isWhole) throw new Error("a part was not read to its end");
  return { bytes: length, sha256: hash.digest("hex") };
}
