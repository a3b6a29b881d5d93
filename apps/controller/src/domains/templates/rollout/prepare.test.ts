import { expect, test } from "vitest";
import { expectationOf } from "./prepare.ts";

const unmet = (effect: "cannot" | "fallback", objectId: number) => ({
  family: "routerConnlimit",
  objectId,
  name: "guests",
  effect,
  reason: "noLine",
  params: {},
});
const preview = { followed: null, isKnown: true, objects: [], failure: null };

test("what a preview shows as idle is expected to be so", async () => {
  const rows = [unmet("cannot", 1), unmet("fallback", 2)];
  const found = { ...preview, unmet: { cannot: 1, count: 2, rows } };
  expect(
    await expectationOf(
      () => Promise.resolve(found),
      () => expect.unreachable(),
    ),
  ).toEqual({
    isKnown: true,
    objects: ["routerConnlimit/1"],
  });
});

test("a CPE that cannot be previewed is unknown, with the reason, and the step continues", async () => {
  const errors: unknown[] = [];
  const error = new Error("rows are missing");
  const found = await expectationOf(
    () => Promise.reject(error),
    (one) => errors.push(one),
  );
  expect(found).toEqual({ isKnown: false, objects: [], failure: { code: "broken", detail: "" } });
  expect(errors).toEqual([error]);
});
