/**
 * Schemas of calls and messages as generated code (`z.compile`): zod otherwise walks the tree of a schema for each value.
 * Only values that keep all rules take that way; what breaks one is read again by the schema itself, which gives the
 * issues. zod generates code for reading only: to write, a schema is inverted first.
 */
import { type Checked, checkWire } from "@weft/contract/kernel/rule.ts";
import { z } from "zod";

type Node = z.core.$ZodType;
type Checks = readonly z.core.$ZodCheck[];

/** Use of a schema at which it is compiled: many calls are never made in the life of a process. */
const compiledAt = 2;

/** The wire value in memory form, or which fields broke which rules: `checkWire` for a schema that is used often. */
export function wireReader<Schema extends z.ZodType>(
  schema: Schema,
): (wire: unknown) => Checked<z.output<Schema>> {
  let uses = 0;
  let current = schema;
  return (wire) => {
    uses += 1;
    if (uses === compiledAt) current = z.compile(schema);
    return checkWire(current, wire);
  };
}

/** The wire form of a memory value: `z.encode` for a schema that is used often. */
export function wireWriter<Schema extends z.ZodType>(
  schema: Schema,
): (value: unknown) => z.input<Schema> {
  let uses = 0;
  let compiled: Node | null = null;
  return (value) => {
    uses += 1;
    if (uses === compiledAt) compiled = compiledInverse(schema);
    const written = compiled && tryToWrite(compiled, value);
    return written ? (written.data as z.input<Schema>) : z.encode(schema, value as never);
  };
}

/** null: the value breaks a rule, or a rule could not even be applied to it. */
function tryToWrite(compiled: Node, value: unknown): { readonly data: unknown } | null {
  try {
    const result = z.safeParse(compiled, value);
    return result.success ? result : null;
  } catch {
    return null;
  }
}

/** null: zod interprets the schema as before, because it has a part that is not inverted here or cannot be compiled. */
export function compiledInverse(schema: Node): Node | null {
  try {
    return z.compile(inverseOf(schema), { strict: true });
  } catch (error) {
    if (error instanceof NotInvertible || error instanceof z.ZodCompileUnsupportedError)
      return null;
    if (error instanceof z.ZodCompileAsyncError) return null;
    throw error;
  }
}

class NotInvertible extends Error {}

/**
 * The schema that reads what `schema` writes: its memory form is the wire form of this one.
 * @throws NotInvertible also for one that is a part of itself
 */
function inverseOf(schema: Node): Node {
  /** Null while it is being made. */
  const known = new Map<Node, Node | null>();
  const inverted = (inner: Node): Node => {
    const made = known.get(inner);
    if (made) return made;
    if (made === null) throw new NotInvertible("a part of itself");
    known.set(inner, null);
    const inverse = invert(inner, inverted);
    known.set(inner, inverse);
    return inverse;
  };
  return inverted(schema);
}

function invert(schema: Node, inverted: (inner: Node) => Node): Node {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "string":
    case "number":
    case "boolean":
    case "null":
    case "undefined":
    case "any":
    case "unknown":
    case "literal":
    case "enum":
    case "custom":
      return schema;
    case "object": {
      const shape = Object.fromEntries(
        Object.entries(def.shape).map(([name, field]) => [name, inverted(field)]),
      );
      const catchall = def.catchall && inverted(def.catchall);
      const isSame =
        catchall === def.catchall &&
        Object.entries(shape).every(([name, field]) => field === def.shape[name]);
      return isSame ? schema : replaced(schema, { shape, catchall });
    }
    case "array": {
      const element = inverted(def.element);
      return element === def.element ? schema : replaced(schema, { element });
    }
    case "record": {
      if (inverted(def.keyType) !== def.keyType) throw new NotInvertible(def.type);
      const valueType = inverted(def.valueType);
      return valueType === def.valueType ? schema : replaced(schema, { valueType });
    }
    case "tuple": {
      const items = def.items.map((item) => inverted(item));
      const rest = def.rest && inverted(def.rest);
      const isSame = rest === def.rest && items.every((item, at) => item === def.items[at]);
      return isSame ? schema : replaced(schema, { items, rest });
    }
    case "union": {
      const options = def.options.map((option) => inverted(option as Node));
      if (options.every((option, at) => option === def.options[at])) return schema;
      // Also of one with a discriminator, which tries its options one by one to write.
      return afterChecks(z.union(options), def.checks);
    }
    case "nullable":
    case "optional": {
      const innerType = inverted(def.innerType);
      return innerType === def.innerType ? schema : replaced(schema, { innerType });
    }
    // Defaults are for reading.
    case "default":
    case "prefault":
    case "readonly":
      return afterChecks(inverted(def.innerType), def.checks);
    case "pipe": {
      const [input, output] = [inverted(def.in), inverted(def.out)];
      const { transform, reverseTransform } = def;
      if (transform === undefined && reverseTransform === undefined) {
        return afterChecks(z.pipe(output, input), def.checks);
      }
      if (transform === undefined || reverseTransform === undefined) {
        throw new NotInvertible(def.type);
      }
      const codec = z.codec(output, input, {
        decode: reverseTransform as never,
        encode: transform as never,
      });
      return afterChecks(codec, def.checks);
    }
    default:
      throw new NotInvertible(def.type);
  }
}

/** The schema with other parts below it; its own checks are about the memory form, which comes first here. */
function replaced(schema: Node, parts: object): Node {
  const { def } = schema._zod;
  const plain = z.core.clone(schema, { ...def, ...parts, checks: [] } as never);
  return afterChecks(plain, def.checks);
}

const afterChecks = (schema: Node, checks: Checks | undefined): Node =>
  checks === undefined || checks.length === 0
    ? schema
    : z.pipe(z.any().check(...(checks as z.core.$ZodCheck<unknown>[])), schema);
