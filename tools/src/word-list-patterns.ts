/** Lines on which a word may stay, and why. */
export interface Allowed {
  readonly files?: RegExp;
  readonly line?: RegExp;
  readonly reason: string;
}

/** One word that we do not use, what is used instead, and why. */
export interface Word {
  readonly word: string;
  /** Matched line by line. */
  readonly pattern: RegExp;
  readonly use: string;
  readonly reason: string;
  readonly allowed?: readonly Allowed[];
}

/** The words as words: in prose, in snake_case and inside camelCase names. */
export const named = (...words: readonly string[]): RegExp => {
  const any = (list: readonly string[]): string => list.join("|");
  const capital = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  const upper = words.map((word) => word.toUpperCase());
  return new RegExp(
    [
      `(?<![A-Za-z])(?:${any(words)})(?![a-z])`,
      `(?<![A-Z])(?:${any(capital)})(?![a-z])`,
      `(?<![A-Za-z])(?:${any(upper)})(?![A-Za-z])`,
    ].join("|"),
  );
};

/** A phrase of prose, whatever its case. */
export const phrase = (...phrases: readonly string[]): RegExp =>
  new RegExp(`(?<![\\w-])(?:${phrases.join("|")})(?![\\w-])`, "i");
