import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { openApi } from "@weft/contract/open-api/document.ts";
import openapiTS, { astToString } from "openapi-typescript";
import { expect, test } from "vitest";
import { faultsOfDocument } from "./open-api.ts";
import { bin } from "./repository.ts";

test("the document is OpenAPI 3.1, and a reference that leads nowhere is found", async () => {
  const document = openApi() as { components: { schemas: Record<string, unknown> } };
  expect(await faultsOfDocument(document)).toEqual([]);
  delete document.components.schemas.Failure;
  expect(await faultsOfDocument(document)).toEqual([
    expect.stringContaining("#/components/schemas/Failure"),
  ]);
  expect(await faultsOfDocument({ ...document, paths: { "no-slash": {} } })).not.toEqual([]);
});

// What a caller of the generated client writes; the last two lines must not compile.
const caller = `
import type { operations, paths } from "./client.ts";
type Body<P extends keyof paths> = paths[P] extends
  { post: { requestBody?: { content: { "application/json": infer Json } } } } ? Json : never;
type Answer<Id extends keyof operations> = operations[Id] extends
  { responses: { 200: { content: { "application/json": infer Json } } } } ? Json : never;
export const route: Body<"/customer/staticroute/add"> = {
  nCpeID: 1, nEnable: 1, destination: "10.0.0.0/16", nextHop: "10.1.1.1", metric: 0, announce: 0, remark: "",
};
export const sorted: operations["cpe.findAll"]["parameters"]["query"] = { page: 1, isAsc: "desc" };
export const nameOf = (answer: Answer<"cpe.findAll">): string =>
  answer.code === 0 ? (answer.data[0]?.alias ?? "") : (answer.issues?.[0]?.rule ?? answer.msg);
export const warned = (answer: Answer<"staticroute.add">): string =>
  answer.code === 0 ? (answer.warnings?.[0]?.text ?? "") : answer.msg;
// @ts-expect-error a flag is 1 or 0
export const flag: Body<"/customer/staticroute/add"> = { ...route, nEnable: 2 };
// @ts-expect-error no such column
export const column: operations["cpe.findAll"]["parameters"]["query"] = { orderByColumn: "no" };
`;

test("a generated client compiles, and refuses what the contract refuses", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "weft-client-"));
  try {
    const client = astToString(await openapiTS(openApi() as never));
    fs.writeFileSync(path.join(folder, "client.ts"), client);
    fs.writeFileSync(path.join(folder, "caller.ts"), caller);
    const flags =
      "--noEmit --strict --allowImportingTsExtensions --module nodenext --target es2024";
    const tsc = [...flags.split(" "), "--types", "", path.join(folder, "caller.ts")];
    expect(execFileSync(bin("tsc"), tsc, { cwd: folder, encoding: "utf8" })).toBe("");
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}, 120_000);
