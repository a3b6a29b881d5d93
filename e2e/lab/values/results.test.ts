/** What the campaign of values counts as reported, and how a run is continued from its file. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Findings, noFindings, reasonFor } from "./reported.ts";
import {
  failuresOf,
  keyOf,
  readResults,
  tableOf,
  triedOf,
  type Verdict,
  writeResult,
} from "./results.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "weft-values-"));
});
afterEach(() => rm(folder, { recursive: true }));

const verdict = (subject: string, value: string, outcome: Verdict["outcome"]): Verdict => ({
  subject,
  field: "network",
  value,
  outcome,
  why: "",
});

test("a run goes on behind the values of its file; one that was tried again counts as at last", async () => {
  const file = join(folder, "values.jsonl");
  expect(await readResults(file)).toEqual([]);
  const later = verdict("line", "c", "failed");
  await writeResult(file, [verdict("line", "a", "failed"), verdict("line", "b", "refused")]);
  await writeResult(file, [verdict("routeNotice", "a", "reported"), later]);
  await writeResult(file, [verdict("line", "a", "acted")]);
  const all = await readResults(file);
  expect(failuresOf(all)).toEqual(['FAILED line.network = "c": ']);
  const tried = triedOf(all);
  expect(tried.has(keyOf(verdict("line", "a", "acted")))).toBe(true);
  expect(tried.has(keyOf(verdict("routeNotice", "a", "acted")))).toBe(true);
  // One that failed is tried again, as one that never was.
  expect(tried.has(keyOf(later))).toBe(false);
  expect(tried.has(keyOf(verdict("line", "d", "acted")))).toBe(false);
  const line = tableOf(all)
    .split("\n")
    .find((one) => one.startsWith("line"));
  expect(line?.split(/\s+/)).toEqual(["line", "network", "3", "1", "1", "0", "1"]);
  expect((await readFile(file, "utf8")).trim().split("\n")).toHaveLength(3);
});

const row = { id: 7, wire: { interfaceName: "lan9", network: "10.9.0.1/24", remark: "x" } };
const policy = (family: string, objectId: number): Findings => ({
  ...noFindings,
  policies: [{ family, objectId, reason: "noLine" }],
});
const device = (kind: string, object: string, params: Record<string, string> = {}): Findings => ({
  ...noFindings,
  device: [{ kind, object, params, reason: "noVlan" }],
});
const ofRow = (family: string, findings: Findings) => reasonFor({ family }, row, findings);

test("a finding of the controller is about the row of its family and id only", () => {
  expect(ofRow("routerPolicyroute", policy("routerPolicyroute", 7))).toBe("noLine");
  expect(ofRow("routerPolicyroute", policy("routerPolicyroute", 8))).toBeNull();
  expect(ofRow("routerPolicyroute", policy("routerPortmapping", 7))).toBeNull();
});

test("a finding of the device is about a row of its kind with a value that it names", () => {
  expect(ofRow("lansection", device("lan", "lan9"))).toBe("noVlan");
  expect(ofRow("lansection", device("lan", "lan9.7"))).toBe("noVlan");
  expect(ofRow("lansection", device("lan", "lan8"))).toBeNull();
  expect(ofRow("lansection", device("line", "lan9"))).toBeNull();
  expect(ofRow("routeNotice", device("announce", "10.9.0.0/24"))).toBe("noVlan");
  expect(ofRow("routeNotice", device("announce", "10.9.0.0/25"))).toBeNull();
  expect(ofRow("segmentRoute", device("segment", "any", { id: "7" }))).toBe("noVlan");
  expect(ofRow("dnsmasq", device("lan", "lan9"))).toBeNull();
});
