/** What a rule about imports is, and the rules of all programs (layers.ts has the table). */

/** One refusal: gitignore-style globs over import texts, and what to do instead. */
export interface ImportRule {
  group: readonly string[];
  message: string;
  /** An import that this rule must refuse; the test feeds it to Biome. */
  refuses: string;
}

export interface Layer {
  includes: readonly string[];
  /** A file of this layer, for the test. */
  probe: string;
  rules: readonly ImportRule[];
  /** Imports that must pass in the probe file. */
  allows: readonly string[];
  /** True where neither Node modules nor `process` may be used. */
  nodeFree?: boolean;
}

export const parent: ImportRule = {
  group: ["..", "../**"],
  message: "No parent-relative imports: use the # form of this workspace's package.json.",
  refuses: "../kernel/mount.ts",
};
export const programs: ImportRule = {
  group: ["@weft/**", "!@weft/contract/**"],
  message: "The programs never import each other: only the contract is shared.",
  refuses: "@weft/lab/wan.ts",
};
// Without it "./features/x/y.ts" in src/ would pass by every rule that speaks of "#domains".
export const downwards: ImportRule = {
  group: ["./*/**"],
  message: "Another folder is imported by its # form, so that the rules of layers see it.",
  refuses: "./client/call.ts",
};

export const subjects: ImportRule = {
  group: ["@weft/contract/domains/**"],
  message: "A kernel knows no subject: the domain gives it what it needs to know.",
  refuses: "@weft/contract/domains/enterprises/enterprise.ts",
};

/** Rules that each program keeps. */
export const anyApp = [parent, programs];

/** An import of the contract, which every program may make. */
export const wire = "@weft/contract/menu.ts";
