import type { TestResult } from "./test-reporter.ts";

/** One list of the specification, as ids in the form in which titles of tests name them. */
export interface AcceptanceList {
  readonly name: string;
  readonly ids: readonly string[];
}

/** One id and what the last run says of it. */
export interface Proof {
  readonly id: string;
  /** Id of a passed test; null: none names this id, or one that does failed. */
  readonly test: string | null;
}

/** Reads one file of packages/contract/spec, parsed. */
export type ReadSpec = (file: string) => unknown;

/** Behaviours keep their own ids (`B-6-01`); the other lists put their name before (`enums:xMode`). */
const kinds: readonly { file: string; key: string; id: string }[] = [
  { file: "validators", key: "validators", id: "id" },
  { file: "enums", key: "groups", id: "id" },
  { file: "permissions", key: "permissions", id: "code" },
  { file: "routes", key: "routes", id: "id" },
  { file: "endpoints", key: "endpoints", id: "id" },
];

type Row = Readonly<Record<string, string>>;

/** Every list there is, and the behaviours by the groups of plan.json. */
export function acceptanceLists(read: ReadSpec): AcceptanceList[] {
  const lists = kinds.map(({ file, key, id }): AcceptanceList => {
    const rows = (read(`${file}.json`) as Readonly<Record<string, readonly Row[]>>)[key] ?? [];
    return { name: file, ids: rows.map((row) => `${file}:${row[id]}`) };
  });
  const plan = read("plan.json") as Readonly<Record<string, string | readonly string[]>>;
  for (const [name, ids] of Object.entries(plan)) if (Array.isArray(ids)) lists.push({ name, ids });
  return lists;
}

const token = /[A-Za-z0-9][\w:./-]*[A-Za-z0-9_]/g;

/** Which tests name which id: whole tokens only, so that B-6-1 is not found in B-6-10. */
function testsByToken(results: readonly TestResult[]): Map<string, TestResult[]> {
  const found = new Map<string, TestResult[]>();
  for (const result of results) {
    for (const name of new Set(result.id.match(token) ?? [])) {
      const tests = found.get(name);
      if (tests) tests.push(result);
      else found.set(name, [result]);
    }
  }
  return found;
}

/**
 * What the results say of each id of a list. Proven is an id that at least one passed test names
 * and no failed or skipped one: half of a list of cases proves nothing.
 */
export function evaluate(
  lists: readonly AcceptanceList[],
  results: readonly TestResult[],
): { readonly name: string; readonly proofs: readonly Proof[] }[] {
  const tests = testsByToken(results);
  const proofOf = (id: string): Proof => {
    const named = tests.get(id) ?? [];
    const isProven = named.length > 0 && named.every(({ state }) => state === "passed");
    return { id, test: isProven ? (named[0]?.id ?? null) : null };
  };
  return lists.map(({ name, ids }) => ({ name, proofs: ids.map(proofOf) }));
}
