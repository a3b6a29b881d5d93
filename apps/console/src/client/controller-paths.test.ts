import { allEndpoints } from "@weft/contract/all-endpoints.ts";
import { expect, test } from "vitest";
import { controllerPaths } from "./controller-paths.ts";

const answered = (path: string): boolean => controllerPaths.some((start) => path.startsWith(start));

test("every call is forwarded to the controller", () => {
  expect(allEndpoints.map(({ path }) => path).filter((path) => !answered(path))).toEqual([]);
});
