// Whether the OpenAPI document is one: part of `npm run check`. With a path as its argument it
// writes the document there, for generators of clients.
import "./assert-node.ts";
import fs from "node:fs";
import { pathToFileURL } from "node:url";
import { Validator } from "@seriousme/openapi-schema-validator";
import { openApi } from "@weft/contract/open-api/document.ts";

/** What is wrong by the schema of OpenAPI 3.1, and references that lead nowhere; empty: nothing. */
export async function faultsOfDocument(document: object): Promise<string[]> {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(
    structuredClone(document) as Parameters<Validator["validate"]>[0],
  );
  return valid ? [] : [JSON.stringify(errors)];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const document = openApi();
  const faults = await faultsOfDocument(document);
  for (const fault of faults) console.error(`openapi: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
  const [, , file] = process.argv;
  if (file !== undefined) fs.writeFileSync(file, JSON.stringify(document, null, 2));
}
