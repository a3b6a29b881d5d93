import { expect, test } from "vitest";
import { loadRegions, regionOptions } from "./region-picker.tsx";

test("provinces hold cities, cities hold regions", () => {
  expect(regionOptions({ 浙江省: { 杭州市: ["西湖区"] } })).toEqual([
    {
      value: "浙江省",
      label: "浙江省",
      children: [
        { value: "杭州市", label: "杭州市", children: [{ value: "西湖区", label: "西湖区" }] },
      ],
    },
  ]);
});

test("the list has every province-level region, with districts", async () => {
  const all = await loadRegions();
  expect(all.length).toBe(34);
  const hangzhou = all
    .find(({ value }) => value === "浙江省")
    ?.children?.find(({ value }) => value === "杭州市");
  expect(hangzhou?.children?.map(({ value }) => value)).toContain("西湖区");
});
