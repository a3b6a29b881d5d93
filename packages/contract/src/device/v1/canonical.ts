/**
 * One text for one value: object keys sorted, no blanks (RFC 8785 in spirit; our documents hold only
 * strings, integers, booleans, null, arrays and objects). Hashes of sections and heads are taken
 * over this text, so both ends get the same digest whatever order they built the value in.
 */
export const canonicalJson = (value: unknown): string => {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const fields = value as Readonly<Record<string, unknown>>;
  let text = "";
  // Without lists of pairs, which would be most of its time. Keys are sorted by code units.
  for (const key of Object.keys(fields).sort()) {
    const field = fields[key];
    if (field === undefined) continue;
    text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(field)}`;
  }
  return `{${text}}`;
};
