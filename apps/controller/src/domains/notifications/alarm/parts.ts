/** How the parts of one transaction are made: together, or each by itself, so that one that fails is in the way of no other. */
import type { Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import { isAway, isCollision } from "#kernel/database-errors.ts";
import { tryPart } from "#kernel/savepoint.ts";

type Trx = Transaction<Database>;

/**
 * Makes all of these in parts.
 * @param make receives those of one part
 * @param putOff receives one that failed, so that it does not fail again at once
 * @returns what each part that was made gave
 */
export type DoParts = <One, Made>(
  all: readonly One[],
  make: (part: readonly One[]) => Promise<Made>,
  putOff: (item: One) => Promise<unknown>,
) => Promise<Made[]>;

/** How the parts of a transaction are made. */
export type Parts = (trx: Trx) => DoParts;

/** As one part. @throws what it fails with */
export const together: Parts = () => async (all, make) => [await make(all)];

/**
 * Each by itself.
 * @param report receives why one was left out
 * @throws what ends the transaction as a whole
 */
export const apart =
  (trx: Trx, report: (error: unknown) => void): DoParts =>
  async <One, Made>(
    all: readonly One[],
    make: (part: readonly One[]) => Promise<Made>,
    putOff: (item: One) => Promise<unknown>,
  ) => {
    const made: Made[] = [];
    for (const item of all) {
      const part = async (): Promise<null> => {
        made.push(await make([item]));
        return null;
      };
      const failure = await tryPart(trx, part, (error) => {
        if (isAway(error) || isCollision(error)) throw error;
        return { error };
      });
      if (!failure) continue;
      report(failure.error);
      await putOff(item);
    }
    return made;
  };
