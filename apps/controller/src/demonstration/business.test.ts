import { expect, test } from "vitest";
import { accelerated } from "./business.ts";
import { spaces } from "./fleet.ts";

test("what is accelerated leaves at POPs that all sites of its enterprise have links to", () => {
  const without = accelerated.filter(([, owner, , pop]) =>
    spaces.some(({ enterprise, pops }) => enterprise === owner && !pops.includes(pop)),
  );
  expect(without).toEqual([]);
});
