/** Zero leaks over all that is mounted, to callers of one type of role, in the share of `npm test`. */
import { allEndpoints } from "@weft/contract/all-endpoints.ts";
import type { RoleType } from "@weft/contract/domains/access/enums.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { testApi } from "./api.ts";
import { type Cell, matrixSite, matrixSummary, runMatrix } from "./matrix.ts";
import { ownElsewhere, refusedEarlier } from "./matrix-own-elsewhere.ts";

const guarded = allEndpoints.filter(({ auth }) => auth === "session");

const writing = guarded
  .filter(({ acts, id }) => acts && !Object.hasOwn(refusedEarlier, id))
  .map(({ id }) => id);

/** The tests of a file; each type of role has one, so that they run side by side. */
export function proveNoLeaks(roleType: RoleType): void {
  describe("what is mounted", () => {
    let cells: Cell[] = [];
    let byEndpoint: ReadonlyMap<string, Cell[]> = new Map();
    beforeAll(async () => {
      const api = await testApi(undefined, undefined, undefined, matrixSite);
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

    test.each(writing)(
      "endpoints:%s refuses a stranger's row because of the row, not because of what else it is given",
      (id) => {
        const own = byEndpoint.get(id) ?? [];
        const asked = own.filter(({ foreign }) => foreign !== null);
        const ownRefusals = own.filter(({ field }) => field === "").map((cell) => cell.ownRefusal);
        const unproven = (field: string) =>
          asked
            .filter((cell) => cell.field === field)
            .flatMap(({ blind, foreignRefusal }) => {
              const isSame = ownRefusals.every((refusal) => refusal === foreignRefusal);
              return isSame ? [...blind, `as an own one: ${foreignRefusal}`] : blind;
            });
        for (const field of new Set(asked.map((cell) => cell.field)))
          expect(unproven(field), field).toEqual([]);
      },
    );

    test("B-6-27: no id of another enterprise is read, edited or removed", () => {
      const pairs = cells.filter(({ foreign }) => foreign !== null);
      expect(pairs.length).toBeGreaterThan(500);
      expect(pairs.filter(({ leaks }) => leaks.length > 0)).toEqual([]);
    });
  });
}
