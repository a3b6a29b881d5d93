import type { batchById } from "@weft/contract/domains/access/batch.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";

type Batch = OutputOf<typeof batchById>;

const [waiting, running] = [0, 1] as const;

/** True while rows are left that will be worked on. */
export const isOpen = (status: Batch["batchStatus"]): boolean =>
  status === waiting || status === running;

/** Share of the rows that are behind it, in whole percent; 100 only when all are. */
export const percentOf = ({
  total,
  done,
  failed,
}: Pick<Batch, "total" | "done" | "failed">): number =>
  total === 0 ? 100 : Math.floor((100 * (done + failed)) / total);
