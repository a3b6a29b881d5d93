import { refuse } from "#kernel/refuse.ts";
import { createSlots } from "./slots.ts";

/** Files that are read at a time, each in a thread of up to 256 MB, and those that wait for it. */
const inAll = { most: 2, waiting: 20 } as const;
/** Of one user and of one enterprise: read, or waiting. One of them must not take the turns of all others. */
const most = { ofUser: 2, ofEnterprise: 4 } as const;

export interface ImportSlots {
  /** Runs it when its turn comes. @throws Refusal unavailable when too many of these, or of all, wait already */
  run<T>(
    who: { readonly userId: number; readonly enterpriseId: number },
    work: () => Promise<T>,
  ): Promise<T>;
}

export function createImportSlots(): ImportSlots {
  const slots = createSlots(inAll.most, inAll.waiting);
  const open = new Map<string, number>();
  const add = (key: string, by: 1 | -1): void => {
    const count = (open.get(key) ?? 0) + by;
    if (count > 0) open.set(key, count);
    else open.delete(key);
  };
  return {
    async run({ userId, enterpriseId }, work) {
      const bounds = [
        [`user ${userId}`, most.ofUser],
        [`enterprise ${enterpriseId}`, most.ofEnterprise],
      ] as const;
      if (bounds.some(([key, bound]) => (open.get(key) ?? 0) >= bound)) refuse("unavailable");
      for (const [key] of bounds) add(key, 1);
      try {
        return await slots.run(work);
      } finally {
        for (const [key] of bounds) add(key, -1);
      }
    },
  };
}

/** Of this process: all calls that read a file share them. */
export const importSlots = createImportSlots();
