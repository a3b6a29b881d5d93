/** Names of code points (RFC 2474, 2597, 3246, 5865). */
const named: ReadonlyMap<string, number> = new Map([
  ...[1, 2, 3, 4, 5, 6, 7].map((at) => [`CS${at}`, at * 8] as const),
  ...[1, 2, 3, 4].flatMap((at) =>
    [1, 2, 3].map((drop) => [`AF${at}${drop}`, at * 8 + drop * 2] as const),
  ),
  ...([["VA", 44] as const, ["EF", 46] as const] as const),
]);

/**
 * Code points of a list such as "EF, CS5, AF41, 33", in its order; null: something in it is none, or it is the one
 * of packets that ask for nothing (0).
 */
export const codePointsOf = (text: string): readonly number[] | null => {
  const points: number[] = [];
  for (const part of text.split(/[\s,，]+/).filter((piece) => piece !== "")) {
    const point = named.get(part.toUpperCase()) ?? (/^\d{1,2}$/.test(part) ? Number(part) : 0);
    if (point < 1 || point > 63) return null;
    points.push(point);
  }
  return points;
};
