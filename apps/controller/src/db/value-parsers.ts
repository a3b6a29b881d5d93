import pg from "pg";

/** Object ids of built-in types (PostgreSQL's pg_type.dat). */
const int8Oid = 20;
const int8ArrayOid = 1016;
const dateOid = 1082;
const dateArrayOid = 1182;
const textArrayOid = 1009;

/** Ids and counts fit a number; what does not is an error, never a rounded value. */
function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} is not a safe integer`);
  return value;
}

type Nested = string | null | Nested[];
type NestedNumber = number | null | NestedNumber[];

function toSafeIntegers(value: Nested): NestedNumber {
  if (value === null) return null;
  return typeof value === "string" ? toSafeInteger(value) : value.map(toSafeIntegers);
}

// The driver's types list only the ids of some built-in types.
const driverParser = (oid: number): ((text: string) => unknown) =>
  pg.types.getTypeParser(oid as Parameters<typeof pg.types.getTypeParser>[0], "text");

const textArray = (text: string): Nested => driverParser(textArrayOid)(text) as Nested;

/** Parsers that differ from the driver's: it makes strings of bigint, and local times of dates. */
const parsers = new Map<number, (text: string) => unknown>([
  [int8Oid, toSafeInteger],
  [int8ArrayOid, (text) => toSafeIntegers(textArray(text))],
  [dateOid, (text) => text],
  [dateArrayOid, textArray],
]);

/**
 * The parser of a type's values: bigint is a number, timestamptz a Date, date the text
 * YYYY-MM-DD, numeric a string, json what it says. Values travel as text.
 */
export function getTypeParser(oid: number): (text: string) => unknown {
  return parsers.get(oid) ?? driverParser(oid);
}
