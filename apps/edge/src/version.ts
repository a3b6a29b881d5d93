import { readFileSync } from "node:fs";

/** Put in by the build; a run from source reads it from its package. */
declare const WEFT_EDGE_VERSION: string | undefined;

const fromPackage = (): string => {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
};

export const version: string =
  typeof WEFT_EDGE_VERSION === "string" ? WEFT_EDGE_VERSION : fromPackage();
