import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import type { DraftOf } from "@weft/contract/kernel/resource.ts";
import { expect, test } from "vitest";
import type { HandlerContext } from "./api.ts";
import { type MountedResource, writeRow } from "./mount-resource.ts";
import type { EditCheck, StoredRow } from "./resource-store.ts";

const written: StoredRow = {
  id: 1,
  enterpriseId: 1,
  old: { metric: 1 },
  new: { metric: 2 },
  versions: { old: 1, new: 2 },
};

/** Edits a row of a resource whose rules only read, in a store that does this with the check. */
function edit(asStore: (check: EditCheck | undefined) => Promise<unknown>) {
  const seen: unknown[] = [];
  const store = {
    edit: async (_ctx: unknown, _id: number, _draft: unknown, check?: EditCheck) => {
      await asStore(check);
      return written;
    },
  };
  const hooks: MountedResource["hooks"] = {
    checksOnlyRead: true,
    beforeWrite: async (_ctx, _draft, id, stored) => void seen.push(id, await stored),
  };
  const mounted = { resource: staticRoute, store, hooks } as unknown as MountedResource;
  const row = writeRow({} as HandlerContext, mounted, 1, {} as DraftOf<typeof staticRoute>);
  return { row, seen };
}

test("the rules of an edit get the row as its store read it", async () => {
  const { row, seen } = edit(async (check) => check?.(Promise.resolve({ metric: 1 })));
  expect(await row).toBe(written);
  expect(seen).toEqual([1, { metric: 1 }]);
});

test("an edit whose store runs no check ends with an error", async () => {
  const { row, seen } = edit(async () => undefined);
  await expect(row).rejects.toThrow("staticroute writes what it did not check");
  expect(seen).toEqual([]);
});
