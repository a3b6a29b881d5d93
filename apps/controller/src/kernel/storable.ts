/** PostgreSQL's text holds no NUL, and its jsonb no half of a surrogate pair (manual, 8.14). */
const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

/**
 * Where a value that came over the wire has text that no column could hold: the field's name,
 * dotted for nested values ("" for the value itself); null when all of it could be stored.
 * Traverses without recursion: what is nested a hundred thousand deep must not end the process's stack.
 */
export function unstorablePath(value: unknown): string | null {
  const waiting: { readonly path: string; readonly value: unknown }[] = [{ path: "", value }];
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    const { path } = at;
    if (typeof at.value === "string" && !isStorable(at.value)) return path;
    // The bytes of a file are no text.
    if (typeof at.value !== "object" || at.value === null || at.value instanceof Uint8Array) {
      continue;
    }
    for (const [key, inner] of Object.entries(at.value)) {
      if (!isStorable(key)) return path;
      // Deeper paths would grow with the square of the depth, and are of no use.
      const isDeep = path.length > 200;
      waiting.push({ path: isDeep ? path : path === "" ? key : `${path}.${key}`, value: inner });
    }
  }
  return null;
}
