import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { allEndpoints } from "#contract/all-endpoints.ts";

interface Listed {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly permission: string | null;
  readonly inferredParts: readonly string[];
  /** Absent: 0. */
  readonly successCode?: number;
}

const listFile = path.join(import.meta.dirname, "../spec/endpoints.json");
const listed: Listed[] = JSON.parse(fs.readFileSync(listFile, "utf8")).endpoints;

test.each(allEndpoints.map((one) => [one.path, one] as const))(
  "%s stands in the list of calls, with its method, id and permission",
  (_, one) => {
    const entry = listed.find((each) => each.path === one.path);
    expect(entry).toMatchObject({ id: one.id, method: one.method, permission: one.may });
    expect(one.successCode).toBe(entry?.successCode ?? 0);
  },
);
