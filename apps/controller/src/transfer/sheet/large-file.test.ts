import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";

// Rows and file together are ten times as much as the thread may have.
test("100,000 rows of twelve cells are written as xlsx in 24 MB", async () => {
  const program = `
    const { xlsxFile } = await import(${JSON.stringify(import.meta.resolve("./xlsx-writer.ts"))});
    async function* rows() {
      for (let at = 0; at < 100; at += 1) {
        yield Array.from({ length: 1000 }, (_, n) => Array(12).fill("row " + (at * 1000 + n)));
      }
    }
    let bytes = 0;
    for await (const chunk of xlsxFile(Array(12).fill("x"), rows())) bytes += chunk.length;
    (await import("node:worker_threads")).parentPort.postMessage(bytes);`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`), {
    resourceLimits: { maxOldGenerationSizeMb: 24 },
  });
  const bytes = await new Promise<number>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  expect(bytes).toBeGreaterThan(1_000_000);
});
