import { cug } from "@weft/contract/domains/overlay/cug.ts";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { known, renderForTest } from "#client/render-for-test.tsx";
import { bitsOf, megabitsOf } from "#parts/fields/bandwidth-field.tsx";
import CugPage from "./cug-page.tsx";

const row = {
  id: 3,
  name: "finance",
  groupid: 1,
  enterpriseName: "Acme",
  bandwidth: 8_200_000,
  cpeIds: [],
  enable: true,
  remark: "",
  createTime: new Date(0),
};
const query = {
  groupid: null,
  name: null,
  orderByColumn: null,
  isAsc: null,
  page: 1,
  limit: 10,
};

describe("closed user groups", () => {
  it("B-9-06: a CUG of 8.2 Mbit/s is sent as 8200000", () => {
    const { bandwidth } = cug.draft.shape;
    expect(z.encode(bandwidth, bitsOf(8.2) ?? 0)).toBe(8_200_000);
    expect(z.decode(bandwidth, "8200000")).toBe(8_200_000);
    expect(megabitsOf(8_200_000)).toBe(8.2);
  });
  it("B-9-06: and is shown as 8.2", () => {
    const shown = renderForTest(<CugPage />, ["cpeEditCug"], [known(cug.ops.list, query, [row])]);
    expect(shown).toContain("finance");
    expect(shown).toContain(">8.2<");
  });
});
