/** What one list has that another has not, both ways; anything but a list counts as an empty one. */
export function listChange(
  old: unknown,
  now: unknown,
): { readonly gone: readonly unknown[]; readonly come: readonly unknown[] } {
  const [before, after] = [asList(old), asList(now)];
  const without = (all: readonly unknown[], others: readonly unknown[]): unknown[] => {
    const known = new Set(others.map((one) => JSON.stringify(one)));
    return all.filter((one) => !known.has(JSON.stringify(one)));
  };
  return { gone: without(before, after), come: without(after, before) };
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
