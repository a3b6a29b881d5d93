/** How nft is written. Pure. */

/** The set of the document's links in the main namespace, where there are other interfaces. */
export const linkSet = "s_links";
/** Any of them, as a rule matches it. */
export const anyLink = `@${linkSet}`;

/** `{ "wan1", "wan2" }`. */
export const set = (names: readonly string[]): string =>
  `{ ${[...new Set(names)].map((n) => `"${n}"`).join(", ")} }`;

export const chain = (name: string, rules: readonly string[], base: string | null = null): string =>
  [`  chain ${name} {`, ...(base ? [base] : []), ...rules]
    .map((line, index) => (index === 0 ? line : `    ${line}`))
    .concat("  }")
    .join("\n");
