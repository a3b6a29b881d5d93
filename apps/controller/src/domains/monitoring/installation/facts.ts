import { processCheck } from "@weft/contract/domains/monitoring/installation.ts";
import { z } from "zod";

const amount = z.number().nullable();

/**
 * What a process measures of itself and writes into its row. Another version may write other fields: what does
 * not fit is not known, and never read as if it were well.
 */
export const processFacts = z.object({
  checks: z.array(processCheck),
  /** Devices that are connected to its gateway; null: it runs none. */
  devices: amount,
  /** End of the certificate that its gateway serves, in ms of the epoch. */
  certificateEndsAt: amount,
  /** Of the disk of WEFT_DATA. */
  freeBytes: amount,
  totalBytes: amount,
  /** 99th percentile since the last time. */
  loopDelayMs: amount,
  /** Metrics of devices that wait in its gateway. */
  intake: z
    .object({ waitingRows: z.number(), oldestSeconds: z.number(), refused: z.number() })
    .nullable(),
  /** When the last backup with its WEFT_DATA was written, in ms of the epoch. */
  backupAt: amount,
});
export type ProcessFacts = z.output<typeof processFacts>;
