import { afterEach, describe, expect, it, vi } from "vitest";
import { partsAhead } from "./parts-ahead.ts";

const shell = ["a", "b", "c", "d"].map((name) => ({
  name,
  files: name === "c" ? ["/c.css", "/c.js"] : [`/${name}.js`],
}));

/** Files that are asked for, and there when it is said. */
const network = () => {
  const asked: string[] = [];
  const waiting = new Map<string, () => void>();
  return {
    asked,
    fetchFile: (file: string): Promise<void> => {
      asked.push(file);
      return new Promise((resolve) => waiting.set(file, resolve));
    },
    /** Ends when what waits for the file has gone on. */
    async arrives(file: string): Promise<void> {
      waiting.get(file)?.();
      await new Promise(setImmediate);
    },
  };
};

afterEach(() => {
  vi.useRealTimers();
});

describe("files of the shell", () => {
  it("of which nothing is heard are imported all the same", async () => {
    vi.useFakeTimers();
    const parts = partsAhead(shell, () => new Promise(() => undefined));
    parts.fetch(2);
    const come: string[] = [];
    for (const part of ["a", "d"]) void parts.came(part).then(() => come.push(part));
    await vi.advanceTimersByTimeAsync(9_999);
    expect(come).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(come).toEqual(["a", "d"]);
  });

  it("are requested in order, as many at a time as was set last", async () => {
    const { asked, fetchFile, arrives } = network();
    const parts = partsAhead(shell, fetchFile);
    expect(asked).toEqual([]);
    parts.fetch(1);
    expect(asked).toEqual(["/a.js"]);
    parts.fetch(2);
    parts.fetch(2);
    expect(asked).toEqual(["/a.js", "/b.js"]);
    await arrives("/b.js");
    expect(asked).toEqual(["/a.js", "/b.js", "/c.css", "/c.js"]);
    await arrives("/c.css");
    expect(asked).toHaveLength(4);
    await arrives("/c.js");
    expect(asked).toEqual(["/a.js", "/b.js", "/c.css", "/c.js", "/d.js"]);
    await arrives("/a.js");
    await arrives("/d.js");
    expect(asked).toHaveLength(5);
  });

  it("are waited for one by one; what is no part is not waited for", async () => {
    const { fetchFile, arrives } = network();
    const parts = partsAhead(shell, fetchFile);
    parts.fetch(1);
    const come: string[] = [];
    for (const part of ["a", "b", "none"]) void parts.came(part).then(() => come.push(part));
    await arrives("/b.js");
    expect(come).toEqual(["none"]);
    await arrives("/a.js");
    expect(come).toEqual(["none", "a"]);
    await arrives("/b.js");
    expect(come).toEqual(["none", "a", "b"]);
  });
});
