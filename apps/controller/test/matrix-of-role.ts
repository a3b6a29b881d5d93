/** Zero leaks over all that is mounted, to callers of one type of role, in the share of `npm test`. */
import { allEndpoints } from "@weft/contract/all-endpoints.ts";
import type { RoleType } from "@weft/contract/domains/access/enums.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { testApi } from "./api.ts";
import { type Cell, matrixSummary, runMatrix } from "./matrix.ts";
import { ownElsewhere } from "./matrix-own-elsewhere.ts";

const guarded = allEndpoints.filter(({ auth }) => auth === "session");

/** The tests of a file; each type of role has one, so that they run side by side. */
export function proveNoLeaks(roleType: RoleType): void {
  describe("what is mounted", () => {
    let cells: Cell[] = [];
    let byEndpoint: ReadonlyMap<string, Cell[]> = new Map();
    beforeAll(async () => {
      const api = await testApi();
      cells = await runMatrix(api, { roleTypes: [roleType], isShare: true }).finally(() =>
        api.close(),
      );
      byEndpoint = Map.groupBy(cells, ({ endpoint }) => endpoint);
      console.log(matrixSummary(cells));
    }, 1_200_000);

    test.each(guarded.map(({ id, successCode }) => [id, successCode] as const))(
      "endpoints:%s answers for a stranger's row as for none, in every scope",
      (id, successCode) => {
        const own = byEndpoint.get(id) ?? [];
        expect(new Set(own.map((cell) => cell.roleType))).toEqual(new Set([roleType]));
        expect(new Set(own.map(({ dataScope }) => dataScope)).size).toBe(4);
        expect(own.filter(({ leaks }) => leaks.length > 0)).toEqual([]);
        const answers = own.filter(({ field }) => field === "").map((cell) => cell.own);
        if (!Object.hasOwn(ownElsewhere, id)) expect(answers).toContain(successCode);
      },
    );

    test("B-6-27: no id of another enterprise is read, edited or removed", () => {
      const pairs = cells.filter(({ foreign }) => foreign !== null);
      expect(pairs.length).toBeGreaterThan(500);
      expect(pairs.filter(({ leaks }) => leaks.length > 0)).toEqual([]);
    });
  });
}
