import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pino } from "pino";
import { type Measures, openMeasures } from "#metrics-store/open.ts";

/** A moment as clients send it, in UTC. */
export const wireTime = (at: Date | number): string =>
  new Date(at).toISOString().slice(0, 19).replace("T", " ");

/** An embedded metrics store of the test's own that answers; closing it removes its folder. */
export async function testMeasures(): Promise<Measures> {
  const folder = await mkdtemp(path.join(tmpdir(), "weft-measures-"));
  const measures = openMeasures({
    clickhouseUrl: undefined,
    dataDir: folder,
    demonstration: false,
    logger: pino({ level: "silent" }),
  });
  if (!(await measures.ready(60_000))) throw new Error("the metrics store did not start");
  return {
    ...measures,
    async close() {
      await measures.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
