/**
 * The files of the shell, fetched in the order in which they are needed: what is there runs while the rest is on its way. Asked
 * for all at once they would share the line, and all be there at the end.
 */

/** A part of the built console (chunks.ts): its script, and a stylesheet that it has. */
export interface Part {
  readonly name: string;
  readonly files: readonly string[];
}

export interface PartsAhead {
  /** Fetches all that is left, so many parts at once; more than were before, else it changes nothing. */
  fetch(atOnce: number): void;
  /** Ends when a part is there or could not be fetched: what imports it says so. At once, if it is none. */
  came(name: string): Promise<void>;
}

/** @param fetchFile ends when a file is there, or could not be fetched */
export const partsAhead = (
  parts: readonly Part[],
  fetchFile: (file: string) => Promise<void>,
): PartsAhead => {
  const ends = new Map(parts.map(({ name }) => [name, Promise.withResolvers<void>()]));
  const left = parts.values();
  let lanes = 0;
  const run = async (): Promise<void> => {
    for (const { name, files } of left) {
      await Promise.all(files.map(fetchFile));
      ends.get(name)?.resolve();
    }
  };
  return {
    fetch(atOnce) {
      for (; lanes < atOnce; lanes++) void run();
    },
    came: (name) => ends.get(name)?.promise ?? Promise.resolve(),
  };
};

interface Holder {
  weftParts?: PartsAhead;
}

/** From the program in the page to the first script, which are built apart (early.ts). */
export const keepParts = (parts: PartsAhead): void => {
  (globalThis as Holder).weftParts = parts;
};

const none = partsAhead([], async () => undefined);

/** Those of this page; none of a console that is not built. */
export const pageParts = (): PartsAhead => (globalThis as Holder).weftParts ?? none;
