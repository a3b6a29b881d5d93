const forms: ReadonlyMap<string, boolean> = new Map([
  ["1", true],
  ["0", false],
  ["true", true],
  ["false", false],
]);

/** Yes or no as the wire has it: 1, 0, a boolean, or the text of one; undefined: none of them. */
export const flagOf = (value: string | number | boolean): boolean | undefined =>
  forms.get(String(value));
