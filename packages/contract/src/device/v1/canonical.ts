/**
 * One text for one value: object keys sorted, no blanks (RFC 8785 in spirit; our documents hold only
 * strings, integers, booleans, null, arrays and objects). Hashes of sections and heads are taken
 * over this text, so both ends get the same digest whatever order they built the value in.
 */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const entries = Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${canonicalJson(one)}`).join(",")}}`;
  }
  return JSON.stringify(value);
};
