import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { accessText, permissionOf } from "#contract/access.ts";
import { allEndpoints } from "#contract/all-endpoints.ts";
import type { Endpoint } from "#kernel/endpoint.ts";

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

const entryOf = (one: Endpoint) => listed.find(({ path: listedPath }) => listedPath === one.path);

test.each(allEndpoints.map((endpoint) => [endpoint.path, endpoint] as const))(
  "%s is a call of the specification, with its method, id and permission, or says why there is one",
  (_, one) => {
    const entry = entryOf(one);
    if (one.addition !== undefined) {
      expect(entry, "a call of spec/endpoints.json is no addition").toBeUndefined();
      expect(one.addition).toMatch(/\w+ \w+/);
      return;
    }
    const advice = `${one.id} is not in spec/endpoints.json: say in \`addition\` why there is one`;
    expect(entry, advice).toBeDefined();
    expect(entry).toMatchObject({
      id: one.id,
      method: one.method,
      permission: permissionOf(one.may),
    });
    expect(one.successCode).toBe(entry?.successCode ?? 0);
  },
);

// Files that are read beside the page, and addresses of other servers, are no calls of the controller.
const isCall = ({ path: listedPath }: Listed) => listedPath.startsWith("/");

test("every call of the specification is declared", () => {
  const declared = new Set<string>(allEndpoints.map((endpoint) => endpoint.path));
  const missing = listed.filter((one) => isCall(one) && !declared.has(one.path));
  expect(missing.map(({ id }) => id)).toEqual([]);
});

test.each(allEndpoints.map((endpoint) => [endpoint.path, endpoint] as const))(
  "%s says who may make it: a permission, screens, or why every session",
  (_, { may, auth, id }) => {
    expect(may === null, id).toBe(auth === "none");
    if (may !== null && typeof may === "object") {
      expect(accessText(may), id).toMatch("open" in may ? /^any session: \w+ \w+/ : /\w/);
    }
  },
);
