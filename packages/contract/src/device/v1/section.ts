/**
 * What a kind of section is to everything that handles sections: one declaration beside its schema, listed in
 * `sections.ts`. A field that a schema gains does not compile until its declaration says what comparison, change guard
 * and rollback do with it (docs/adr/0008-history.md), and a list not until someone decided where one entry too many
 * is refused: a state that breaks its schema is never delivered, and on a POP that stops every tenant.
 */
import type { z } from "zod";
import type { StateLimit } from "#contract/device/v1/limits.ts";

type ListsIn<Value, Path extends string> = Value extends readonly (infer Item)[]
  ? Path | ListsIn<NonNullable<Item>, `${Path}[]`>
  : Value extends object
    ? {
        [Key in keyof Value & string]-?: ListsIn<NonNullable<Value[Key]>, `${Path}.${Key}`>;
      }[keyof Value & string]
    : never;

/** Lists of a section, for example `lans` and `lans[].addresses`. */
type ListsOf<Value> = {
  [Key in keyof Value & string]-?: ListsIn<NonNullable<Value[Key]>, Key>;
}[keyof Value & string];

/**
 * What keeps a list within its schema. `rows`: the write of the row that would be one too many is refused. `follows`:
 * nothing that can be written leads beyond the schema, for this reason.
 */
export type ListDecision = { readonly rows: StateLimit } | { readonly follows: string };

/** Kinds of objects whose loss the change guard weighs. */
export type CountedKind =
  | "line"
  | "lan"
  | "route"
  | "link"
  | "prefix"
  | "acl"
  | "account"
  | "policy"
  | "segment"
  | "setting";

/** Values of a list field of a member, each an object of its own to the guard. */
interface Values<Item> {
  readonly of: keyof Item & string;
  readonly as: CountedKind;
  /** Where the whole member goes, its values are not counted: they follow from another object. */
  readonly whileKept?: true;
}

/**
 * What the guard counts when it goes: an object of this kind, values of one of its fields, or
 * nothing, because it only follows from another object (a port from its link).
 */
type Removal<Item> = CountedKind | Values<Item> | "follows";

interface Listed<Item> {
  /** The name of a member: "line". */
  readonly kind: string;
  /** Fields that distinguish one from the others; none: lists of plain values are their own keys. */
  readonly key: readonly (keyof Item & string)[];
  /** The order of the members is part of what the list says. */
  readonly ordered?: true;
  /** Fields that change nothing of what a member does. */
  readonly unseen?: readonly (keyof Item & string)[];
}

/**
 * Where the value comes from when a node rolls back: one of the two states, or both (`fitted`, by a function of
 * `restore.ts` in the controller).
 */
type Restored = "past" | "present" | "fitted";

interface FieldRule<Value, From extends Restored> {
  /** Members that are objects of their own; null: the value is a setting of its section. */
  readonly list: Value extends readonly (infer Item)[] ? Listed<Item> | null : null;
  readonly removal: Removal<Value extends readonly (infer Item)[] ? Item : Value>;
  readonly restored: From;
}

type FieldRules<Value, From extends Restored> = {
  readonly [Field in keyof Value]-?: FieldRule<NonNullable<Value[Field]>, From>;
};

/** Sections of one content by what follows kind and space in their names; "": nothing does. */
type Parts = ReadonlyMap<string, unknown>;

interface Common<Value> {
  readonly limits: { readonly [List in ListsOf<Value>]: ListDecision };
  /** Withheld from devices without the capability; `isSentUnreported`: but for those that have not reported yet. */
  readonly needs?: { readonly capability: string; readonly isSentUnreported?: true };
  /** Divided into parts for devices with this capability. */
  readonly dividedFor?: string;
  /** Sent in its present form to devices with this capability, in an earlier one to others (`toSections`). */
  readonly presentFor?: string;
  /** Whether the names of its sections end with the number of a part; absent: never. */
  readonly parts?: "always" | "divided";
  /** Schema of a part with a number, where it is not that of the whole. */
  readonly part?: z.ZodType;
  /** @param isDivided the device reads parts */
  divide?(content: Value, isDivided: boolean): Iterable<readonly [part: string, content: unknown]>;
  /** The content that parts make, in the order of their names. @throws Error when one is missing, a zod error */
  join?(parts: Parts, name: string): Value;
}

type Declared<Value> = Common<Value> &
  (
    | {
        /** A state has it always, or once or not at all (absent: nothing of it is set). */
        readonly occurs: "once" | "optional";
        readonly fields: FieldRules<Value, Restored>;
      }
    | {
        readonly occurs: "perSpace";
        /** The field of the state that lists them. */
        readonly list: string;
        /** The field is absent when there is none. */
        readonly isOptional?: true;
        /** What is agreed with the other ends, or stands for people on the road, stays as it is. */
        readonly fields: FieldRules<Value, "present">;
      }
  );

/** Names that the schema does not have. */
type Strange<Given, Known> = Readonly<Record<Exclude<keyof Given, Known>, never>>;

export const defineSection = <Value extends object, const Given extends Declared<Value>>(
  schema: z.ZodType<Value>,
  given: Given & {
    readonly fields: Strange<Given["fields"], keyof Value>;
    readonly limits: Strange<Given["limits"], ListsOf<Value>>;
  },
): Given & { readonly schema: z.ZodType<Value> } => ({ ...given, schema });

/** A value that a section always has: it changes, but never goes by itself. */
export const fixed = { list: null, removal: "follows", restored: "present" } as const;

/** A part that must be there. @param name of the whole */
export const requirePart = (parts: Parts, part: string, name: string): unknown => {
  const full = part === "" ? name : `${name}.${part}`;
  if (!parts.has(part)) throw new Error(`section ${full} is missing`);
  return parts.get(part);
};

/** A rule as code reads it that takes every section alike. */
export interface AnyFieldRule {
  readonly list: {
    readonly kind: string;
    readonly key: readonly string[];
    readonly ordered?: true;
    readonly unseen?: readonly string[];
  } | null;
  readonly removal: Removal<Record<string, unknown>>;
  readonly restored: Restored;
}

/** A declaration likewise. */
export interface AnySection {
  readonly schema: z.ZodType;
  readonly occurs: "once" | "optional" | "perSpace";
  readonly list?: string;
  readonly isOptional?: true;
  readonly fields: Readonly<Record<string, AnyFieldRule>>;
  readonly limits: Readonly<Record<string, ListDecision>>;
  readonly needs?: { readonly capability: string; readonly isSentUnreported?: true };
  readonly dividedFor?: string;
  readonly presentFor?: string;
  readonly parts?: "always" | "divided";
  readonly part?: z.ZodType;
  divide?(
    content: unknown,
    isDivided: boolean,
  ): Iterable<readonly [part: string, content: unknown]>;
  join?(parts: Parts, name: string): unknown;
}
