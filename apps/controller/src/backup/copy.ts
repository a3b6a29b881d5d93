/**
 * COPY over a connection of `pg`, which parses the messages but brings no streams for them
 * (PostgreSQL's protocol, "COPY Operations").
 */
import { once } from "node:events";
import type { Socket } from "node:net";
import pg from "pg";

interface Wire {
  readonly stream: Socket;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

type Done = (error: Error | undefined, result: { readonly rowCount: number | null }) => void;

/** Bytes that are gathered before they are handed on: COPY sends a message a row. */
const gathered = 262_144;

class CopyOut extends pg.Query {
  readonly #take: (chunk: Buffer) => Promise<void>;
  #parts: Buffer[] = [];
  #bytes = 0;
  taken: Promise<void> = Promise.resolve();

  constructor(text: string, take: (chunk: Buffer) => Promise<void>, done: Done) {
    super(text, done as never);
    this.#take = take;
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }, wire: Wire): void {
    // The parser uses its buffer again.
    this.#parts.push(Buffer.from(chunk));
    this.#bytes += chunk.length;
    if (this.#bytes < gathered) return;
    wire.stream.pause();
    this.flush();
    const resume = (): void => void wire.stream.resume();
    this.taken.then(resume, resume);
  }

  flush(): void {
    const chunk = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    if (chunk.length > 0) this.taken = this.taken.then(() => this.#take(chunk));
    // A caller that waits for it gets the error; until then the rejection must not count as unhandled.
    this.taken.catch(() => undefined);
  }
}

/**
 * Runs a COPY ... TO STDOUT and hands on what comes, one chunk after the other.
 * @returns number of rows
 */
export async function copyOut(
  client: pg.Client,
  text: string,
  take: (chunk: Buffer) => Promise<void>,
): Promise<number> {
  let query: CopyOut | undefined;
  const rows = await new Promise<number>((resolve, reject) => {
    query = new CopyOut(text, take, (error, result) =>
      error ? reject(error) : resolve(result.rowCount ?? 0),
    );
    client.query(query);
  });
  query?.flush();
  await query?.taken;
  return rows;
}

class CopyIn extends pg.Query {
  readonly #source: AsyncIterable<Buffer>;
  #isOver = false;
  failure: unknown;

  constructor(text: string, source: AsyncIterable<Buffer>, done: Done) {
    super(text, ((error: Error | undefined, result: { rowCount: number | null }) => {
      this.#isOver = true;
      done(error, result);
    }) as never);
    this.#source = source;
  }

  handleCopyInResponse(wire: Wire): void {
    void this.#pump(wire).catch((error: unknown) => {
      this.failure = error;
      if (!this.#isOver) wire.sendCopyFail("the source failed");
    });
  }

  async #pump(wire: Wire): Promise<void> {
    for await (const chunk of this.#source) {
      // The server has refused what came before, and reads on to the end of it only.
      if (this.#isOver) continue;
      wire.sendCopyFromChunk(chunk);
      if (wire.stream.writableNeedDrain) await once(wire.stream, "drain");
    }
    if (!this.#isOver) wire.endCopyFrom();
  }
}

/**
 * Runs a COPY ... FROM STDIN with these bytes, which are read to their end.
 * @returns number of rows
 * @throws what the source threw, or the server
 */
export function copyIn(
  client: pg.Client,
  text: string,
  source: AsyncIterable<Buffer>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const query: CopyIn = new CopyIn(text, source, (error, result) =>
      error ? reject(query.failure ?? error) : resolve(result.rowCount ?? 0),
    );
    client.query(query);
  });
}
