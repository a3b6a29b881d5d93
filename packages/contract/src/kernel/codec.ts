/**
 * Wire forms of single values. In memory a value has its sane form (number, boolean, Date, array);
 * on the wire it has the form of the specification (form-data text, 1/0, comma-joined ids).
 * `decode` reads the wire, `encode` writes it; both directions check the same rules.
 */
import { z } from "zod";
import { flagOf } from "#kernel/flag.ts";
import { failsWith, type RuleCode, type RuleParams } from "#kernel/rule.ts";
import { isUploadedFile, type UploadedFile } from "#kernel/uploaded-file.ts";

const wireScalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** Plain decimal notation only: no exponent, no hexadecimal, no sign `+`, no leading zeros. */
const decimalText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

const toInteger = (value: string | number): number =>
  typeof value === "string" && value.includes(".") ? Number.NaN : toNumber(value);

/** The whole number that its decimal text (no point) stands for; NaN for anything else. */
export const plainInteger = (value: unknown): number =>
  typeof value === "number" || typeof value === "string" ? toInteger(value) : Number.NaN;

/** The number that plain decimal notation stands for; NaN for anything else. */
export const plainNumber = (value: unknown): number =>
  typeof value === "number" || typeof value === "string" ? toNumber(value) : Number.NaN;

const isBlank = (part: unknown): boolean => part === null || String(part).trim() === "";

const toNumber = (value: string | number): number =>
  typeof value === "number" ? value : decimalText.test(value) ? Number(value) : Number.NaN;

/**
 * An integer; on the wire a number or its decimal text.
 * @param besides what the rule's text says besides, such as the limits in another unit.
 */
export const int = (
  min: number,
  max: number,
  rule: RuleCode = "outOfRange",
  besides: RuleParams = {},
) =>
  z.codec(
    z.union([z.string(), z.number()]),
    z
      .custom<number>((value) => Number.isSafeInteger(value), failsWith("integer"))
      .refine((value) => value >= min && value <= max, failsWith(rule, { min, max, ...besides })),
    { decode: toInteger, encode: (value) => value },
  );

/** A row's id: a positive integer. */
export const id = int(1, Number.MAX_SAFE_INTEGER);

/** A number that may have decimals; the unit is given at the field. */
export const decimal = (min: number, max: number, rule: RuleCode = "outOfRange") =>
  z.codec(
    z.union([z.string(), z.number()]),
    z
      .custom<number>(
        (value) => typeof value === "number" && Number.isFinite(value),
        failsWith("number"),
      )
      .refine((value) => value >= min && value <= max, failsWith(rule, { min, max })),
    { decode: toNumber, encode: (value) => value },
  );

/** Text without surrounding blanks; `min` 1 makes it required (blank counts as empty, A-57). */
export const text = (max: number, min = 0) =>
  z.codec(z.string(), z.string().min(min).max(max), {
    decode: (value) => value.trim(),
    encode: (value) => value,
  });

/** 1 or 0 on the wire, boolean in memory (specification section 3: isAgent, enable, ...). */
export const flag = z.codec(z.union([z.string(), z.number(), z.boolean()]), z.boolean(), {
  decode: (value, context) => {
    const known = flagOf(value);
    if (known !== undefined) return known;
    context.issues.push({
      code: "custom",
      input: value,
      ...failsWith("oneOf", { values: "1, 0" }),
    });
    return z.NEVER;
  },
  encode: (value) => (value ? 1 : 0),
});

/** Comma-joined ids without blanks: "3,5,8" (convention of section 7). */
export const idList = z.codec(
  z.union([z.string(), z.number(), z.array(z.union([z.string(), z.number(), z.null()]))]),
  z
    .custom<number[]>(
      (value) =>
        Array.isArray(value) && value.every((item) => Number.isSafeInteger(item) && item > 0),
      failsWith("integer"),
    )
    .refine((value) => value.length <= 10_000, failsWith("tooMany", { max: 10_000 })),
  {
    // Blank entries do not count, in either form (spec/validators.json, batchSelection and joinIds).
    decode: (value) =>
      (Array.isArray(value) ? value : String(value).split(",")).flatMap((part) =>
        part === null || isBlank(part) ? [] : [toInteger(part)],
      ),
    // What is no list is refused by the rule above; here it only must not end the check.
    encode: (value) => (Array.isArray(value) ? value.join(",") : value),
  },
);

/** At least one id: removals and batch actions. */
export const someIds = idList.refine((value) => value.length > 0, failsWith("atLeastOne"));

/** Comma-joined keys, for example permission codes. */
export const keyList = z.codec(z.union([z.string(), z.array(z.string())]), z.array(z.string()), {
  decode: (value) =>
    Array.isArray(value) ? value : value.split(",").filter((part) => part !== ""),
  encode: (value) => value.join(","),
});

const two = (value: number): string => String(value).padStart(2, "0");
const wireInstant = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2}):(\d{2}))?$/;

const wireOf = (at: Date): string =>
  `${at.getUTCFullYear()}-${two(at.getUTCMonth() + 1)}-${two(at.getUTCDate())} ` +
  `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`;

/** A moment; on the wire `yyyy-MM-dd HH:mm:ss` in UTC (docs/glossary.md, "time"). */
export const instant = z.codec(
  z.string(),
  z.custom<Date>(
    (value) => value instanceof Date && !Number.isNaN(value.getTime()),
    failsWith("instant"),
  ),
  {
    decode: (value) => {
      const text = value.trim();
      const part = wireInstant.exec(text);
      if (!part) return new Date(Number.NaN);
      const [, year, month, day, hour = "00", minute = "00", second = "00"] = part;
      const at = new Date(
        Date.UTC(
          Number(year),
          Number(month) - 1,
          Number(day),
          Number(hour),
          Number(minute),
          Number(second),
        ),
      );
      // The 30th of February is not the 2nd of March, and no clock shows 25:61.
      const shown = `${year}-${month}-${day} ${hour}:${minute}:${second}`;
      return wireOf(at) === shown ? at : new Date(Number.NaN);
    },
    // What is no moment is refused by the rule above; here it only must not end the check.
    encode: (value) => (value instanceof Date ? wireOf(value) : value),
  },
);

/**
 * When something ends. Devices get it in milliseconds since 1970, and states have no negative numbers: an earlier one would
 * keep every state that names it from being compiled.
 */
export const expiry = instant.refine(
  (at) => !(Number(at) < 0),
  failsWith("tooEarly", { least: "1970-01-01" }),
);

/** An untouched reference is sent as 0 where its field counts as a number (emptyDefaults). */
const isNone = (value: unknown, schema: z.ZodType): boolean =>
  value === undefined ||
  value === "" ||
  (schema === (id as z.ZodType) && (value === 0 || value === "0"));

/**
 * May be missing: null in memory; "" , null or absent on the wire. Untouched fields of a form are
 * sent as the empty string (section 5), so both ends read that as "none".
 */
export const orNull = <Schema extends z.ZodType>(schema: Schema) =>
  z.codec(wireScalar.optional(), schema.nullable(), {
    decode: (value) => (isNone(value, schema) ? null : value) as z.input<Schema> | null,
    encode: (value) => (value === null ? "" : (value as string | number | boolean)),
  });

/** May be missing in an answer: null stays null in JSON. */
export const nullable = <Schema extends z.ZodType>(schema: Schema) => schema.nullable();

/** One number out of a list of codes; each code has its text `enum.<name>.<code>`. */
export const code = <const Codes extends readonly number[]>(codes: Codes) =>
  z.codec(
    z.union([z.string(), z.number()]),
    z.custom<Codes[number]>(
      (value) => codes.includes(value as number),
      failsWith("oneOf", { values: codes.join(", ") }),
    ),
    { decode: (value) => toNumber(value) as Codes[number], encode: (value) => value },
  );

/** One value out of a list. */
export const oneOf = <const Values extends readonly string[]>(values: Values) => z.enum(values);

const fileSchemas = new WeakSet<object>();

/** A file with at least one byte; the limit of a whole request bounds it above. */
export const file = (): z.ZodType<UploadedFile, UploadedFile> => {
  const schema = z
    .custom<UploadedFile>(isUploadedFile, failsWith("required"))
    .refine((uploadedFile) => uploadedFile.bytes.length > 0, failsWith("required"));
  fileSchemas.add(schema);
  return schema;
};

/** Names of the fields of an input that are files: every other field refuses one. */
export const fileFieldsOf = (input: z.ZodType): string[] =>
  input instanceof z.ZodObject
    ? Object.entries(input.shape).flatMap(([name, schema]) =>
        fileSchemas.has(schema as object) ? [name] : [],
      )
    : [];
