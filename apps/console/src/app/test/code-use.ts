/** For tests: what the console's own code uses of a package, read from its import graph. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";

const root = join(import.meta.dirname, "../../..");
const { imports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  imports: Record<string, string>;
};

type Parsed = ReturnType<typeof parseSync>;

/** File -> its code, of all that the page can load. */
export type Code = ReadonlyMap<string, Parsed>;

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** File that an import of this file names; null: a package, or no code. */
function fileOf(from: string, named: string): string | null {
  const own = Object.entries(imports).find(([key]) => named.startsWith(key.replace("*", "")));
  const file = own
    ? join(root, own[1].replace("*", named.slice(own[0].length - 1)))
    : named.startsWith(".") && join(from, "..", named);
  return file && /\.tsx?$/.test(file) && existsSync(file) ? file : null;
}

/** What a file imports that is there when the program runs: types are not. */
function importsOf({ module }: Parsed, text: string): string[] {
  const { staticImports, staticExports, dynamicImports } = module;
  return [
    ...staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) => (isType ? [] : (moduleRequest?.value ?? []))),
    ),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  ];
}

/** Of each parsed file: the files that it imports. */
const imported = new WeakMap<Parsed, readonly string[]>();

/** The files that the code can load from this one on, itself as well. */
export function reachedFrom(code: Code, entry: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const files = [entry];
  for (let file = files.pop(); file !== undefined; file = files.pop()) {
    const parsed = code.get(file);
    if (parsed === undefined || reached.has(file)) continue;
    reached.add(file);
    files.push(...(imported.get(parsed) ?? []));
  }
  return reached;
}

/** File -> the files that import it. */
export function importersIn(code: Code): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  for (const [file, parsed] of code) {
    for (const named of imported.get(parsed) ?? []) {
      importers.set(named, [...(importers.get(named) ?? []), file]);
    }
  }
  return importers;
}

/** Parses what is loaded from a file on, but for files that `skipped` matches. */
export function codeFrom(entry: string, skipped: RegExp): Code {
  const code = new Map<string, Parsed>();
  const files = [join(root, entry)];
  for (let file = files.pop(); file !== undefined; file = files.pop()) {
    if (code.has(file) || skipped.test(file)) continue;
    const text = readFileSync(file, "utf8");
    const parsed = parseSync(file, text);
    code.set(file, parsed);
    const next = importsOf(parsed, text).flatMap((named) => fileOf(file, named) ?? []);
    imported.set(parsed, next);
    files.push(...next);
  }
  return code;
}

/** Around an expression that a program runs; everything else that TypeScript adds is a type. */
const transparent = /^TS(As|Satisfies|NonNull|Instantiation)Expression$/;
const types = new Set(["typeAnnotation", "typeArguments", "typeParameters", "returnType"]);

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

/** Calls `visit` for each part of the code that is no type, with what it is in, and what that is in. */
function eachPart(
  node: Node,
  parent: Node,
  visit: (node: Node, parent: Node, above: Node) => void,
  above: Node = parent,
): void {
  if (node.type === "ImportDeclaration") return;
  if (node.type.startsWith("TS") && !transparent.test(node.type)) return;
  visit(node, parent, above);
  for (const [field, value] of Object.entries(node)) {
    if (types.has(field)) continue;
    for (const one of Array.isArray(value) ? value : [value]) {
      if (isNode(one)) eachPart(one, node, visit, parent);
    }
  }
}

const isNameOfMember = (node: Node, { type, property, key, computed, shorthand }: Node): boolean =>
  !computed &&
  ((type === "MemberExpression" && property === node) ||
    (type === "Property" && key === node && !shorthand));

/** Texts that the code has as values: neither types, nor names of fields. */
export function textsIn(code: Code): ReadonlySet<string> {
  const texts = new Set<string>();
  for (const { program } of code.values()) {
    const top = program as unknown as Node;
    eachPart(top, top, (node, parent) => {
      if (node.type !== "Literal" || typeof node.value !== "string") return;
      if (!isNameOfMember(node, parent)) texts.add(node.value);
    });
  }
  return texts;
}

/** An export of a module that the code does something with. */
export interface Use {
  readonly module: string;
  /** null: the module as a whole. */
  readonly name: string | null;
  /** The field of it that is used; null: it itself. */
  readonly field: string | null;
  /** The field of that: `list` of `pop.ops.list`. */
  readonly inner: string | null;
}

function usesInFile({ module, program }: Parsed, from: string): Use[] {
  const names = new Map(
    module.staticImports
      .filter(({ moduleRequest }) => moduleRequest.value.startsWith(from))
      .flatMap(({ moduleRequest, entries }) =>
        entries
          .filter(({ isType }) => !isType)
          .map(({ localName, importName }) => {
            return [
              localName.value,
              { module: moduleRequest.value, name: importName.name ?? null },
            ] as const;
          }),
      ),
  );
  const uses: Use[] = [];
  const top = program as unknown as Node;
  const memberOf = (node: Node, parent: Node): string | null => {
    const isOwner = parent.type === "MemberExpression" && parent.object === node;
    const member = parent.property as Node | undefined;
    return isOwner && !parent.computed && member ? String(member.name) : null;
  };
  eachPart(top, top, (node, parent, above) => {
    if (!/^(JSX)?Identifier$/.test(node.type) || isNameOfMember(node, parent)) return;
    const found = names.get(String(node.name));
    if (!found) return;
    const field = memberOf(node, parent);
    uses.push({ ...found, field, inner: field === null ? null : memberOf(parent, above) });
  });
  return uses;
}

/** What the code does something with of modules whose names begin with this. */
export const usesOf = (code: Code, from: string): Use[] =>
  [...code.values()].flatMap((parsed) => usesInFile(parsed, from));
