/**
 * A family of router policy objects (specification section 7.4), declared once for both scopes:
 * rows of a template under `/customer/NAME`, rows of one device or POP under `/customer/NAME/manage`
 * . Everything that the two have in common follows from here (docs/adr/0012-policy-families.md).
 */
import { z } from "zod";
import type { Permission } from "#contract/permissions.ts";
import * as codec from "#kernel/codec.ts";
import { type Endpoint, pagedEndpoint } from "#kernel/endpoint.ts";
import type { Message } from "#kernel/message.ts";
import {
  type AnyResource,
  accessOf,
  defineResource,
  type Resource,
  type Verb,
} from "#kernel/resource.ts";
import { type ImportEndpoint, importOf } from "#kernel/sheet.ts";

type Shape = z.ZodRawShape;

/** Who holds the rows: a template; or a node, named by exactly one of the two fields. */
export const policyScopes = ["template", "manage"] as const;
export type PolicyScope = (typeof policyScopes)[number];

const ownerFields = {
  template: { templateId: codec.id },
  manage: { cpeId: codec.orNull(codec.id), popId: codec.orNull(codec.id) },
} as const satisfies Record<PolicyScope, Shape>;

/** Names of the fields that say whose rows are meant. */
export const ownerNames: Readonly<Record<PolicyScope, readonly string[]>> = {
  template: ["templateId"],
  manage: ["cpeId", "popId"],
};

const ownerMay: Readonly<Record<PolicyScope, { read: Permission; write: Permission }>> = {
  template: { read: "routerTemplateView", write: "routerTemplateEdit" },
  manage: { read: "cpeConfig", write: "cpeConfig" },
};

/**
 * What the rows of a template's version and a node's own ones are together on that node. `order`: all
 * count, the node's before the template's. `key`: a row of the node replaces the template's of the same
 * key as a whole. `parent`: a row comes and goes with the row that this field names.
 */
export type Merge<Name extends string = string> =
  | { readonly by: "order" }
  | {
      readonly by: "key";
      readonly key: (row: Readonly<Record<Name, unknown>>) => unknown;
      /** True of a row that every node has from the start: it gives way to the template's. */
      readonly isUnset?: (row: Readonly<Record<Name, unknown>>) => boolean;
    }
  | { readonly by: "parent"; readonly field: Name };

export interface PolicyFamilySpec<Fields extends Shape, Facts extends Shape> {
  /** Key in the path and in the ids: "routerUrlrule". */
  readonly name: string;
  /** What a row is called, as in "still used by a URL rule". */
  readonly title: Message;
  /** The English title of several of them; Chinese has one form for both. */
  readonly plural: string;
  /** What a form holds, without the owner; refinements are kept. */
  readonly fields: z.ZodObject<Fields>;
  /** What rows have beside it. */
  readonly facts: z.ZodObject<Facts>;
  /** Fields that rows never give back; for each, the fact `has…` shows whether it is set. */
  readonly secret?: readonly (keyof Fields & string)[];
  /** Field -> family of the row of the same owner that it names. */
  readonly references?: Readonly<Partial<Record<keyof Fields & string, string>>>;
  /** Fields that the list is filtered by, besides a search in `label`. */
  readonly filters?: readonly (keyof Fields & string)[];
  /** The field that people call a row by. */
  readonly label: keyof Fields & string;
  /** True: rows are rules with `enable`, tried in the order of `sort`. */
  readonly isOrdered?: boolean;
  /** How rows of a template and of a node meet on the node. */
  readonly merge: Merge<keyof (Fields & Facts) & string>;
  /** Whether a row keeps something out; absent: no row of the family does. */
  readonly denies?: (row: Readonly<Record<keyof (Fields & Facts) & string, unknown>>) => boolean;
  /** True: a row whose `enable` is off asks for nothing. */
  readonly canBeOff?: boolean;
  /** Lists that each hold the rows of one `kind`, instead of one list of all: kind -> verb. */
  readonly lists?: Readonly<Record<string, string>>;
  readonly verbs: readonly Verb[];
  readonly rename?: Partial<Record<Verb, string>>;
  /** Fields that lists are sorted by; the first is the default. */
  readonly sort: readonly (keyof Fields & string)[];
  /** Rows come in from files as well. */
  readonly importable?: Importable<keyof Fields & string>;
}

/** How rows of a family come in from files. */
export interface Importable<Name extends string = string> {
  /** Last part of the call's path. */
  readonly verb: "import" | "importTem";
  /** Fields that a file has. One that names a row of another family holds what people call that row. */
  readonly columns: readonly Name[];
  /** What the other fields are then, in memory form. */
  readonly rest: Readonly<Partial<Record<Name, unknown>>>;
}

export type AnyPolicyFamilySpec = PolicyFamilySpec<Shape, Shape>;

/** One scope of a family: its resource, and its list of each kind where there are several. */
export interface ScopedPolicy {
  readonly scope: PolicyScope;
  readonly resource: AnyResource;
  /** Kind -> list; empty: the resource's own list holds all. */
  readonly lists: Readonly<Record<string, Endpoint<z.ZodObject, z.ZodArray<z.ZodObject>, true>>>;
  /** The call that takes rows in from a file; null: there is none. */
  readonly importable: ImportEndpoint | null;
}

export interface PolicyFamily<Name extends string = string> {
  readonly name: Name;
  readonly spec: AnyPolicyFamilySpec;
  readonly template: ScopedPolicy;
  readonly manage: ScopedPolicy;
}

/** Declares a family; its two resources are what server, console and tests work with. */
export const definePolicyFamily = <
  const Name extends string,
  Fields extends Shape,
  Facts extends Shape,
>(
  spec: PolicyFamilySpec<Fields, Facts> & { readonly name: Name },
): PolicyFamily<Name> => {
  const plain = spec as unknown as AnyPolicyFamilySpec;
  return {
    name: spec.name,
    spec: plain,
    template: scoped(plain, "template"),
    manage: scoped(plain, "manage"),
  };
};

const rowOf = ({ fields, facts, secret = [] }: AnyPolicyFamilySpec): z.ZodObject<Shape> =>
  z.object({
    id: z.number(),
    ...Object.fromEntries(Object.entries(fields.shape).filter(([name]) => !secret.includes(name))),
    createTime: codec.instant,
    ...facts.shape,
  });

/** Filters may be left out; of an empty one all rows match. */
const queryOf = (
  { fields, filters = [], label }: AnyPolicyFamilySpec,
  owner: Shape,
): z.ZodObject<Shape> =>
  z.object({
    ...owner,
    [label]: codec.orNull(codec.text(64)),
    ...Object.fromEntries(filters.map((name) => [name, optional(fields.shape[name] as z.ZodType)])),
  });

const optional = (field: z.ZodType): z.ZodType =>
  field.safeDecode("" as never).success ? field : codec.orNull(field);

const scoped = (spec: AnyPolicyFamilySpec, scope: PolicyScope): ScopedPolicy => {
  const owner: Shape = ownerFields[scope];
  const { read, write } = ownerMay[scope];
  const isManage = scope === "manage";
  const { lists = {} } = spec;
  const [firstList] = Object.values(lists);
  const resource: Resource<Shape, Shape, Shape> = defineResource({
    name: isManage ? `${spec.name}.manage` : spec.name,
    title: spec.title,
    path: isManage ? `/customer/${spec.name}/manage` : `/customer/${spec.name}`,
    id: "id",
    row: rowOf(spec),
    draft: (spec.fields as z.ZodObject).safeExtend(owner) as z.ZodObject<Shape>,
    query: queryOf(spec, owner),
    verbs: spec.verbs,
    sort: spec.sort,
    sheet: { key: [spec.label] },
    inside: owner,
    rename: { ...spec.rename, ...(firstList !== undefined && { list: firstList }) },
    may: { list: read, add: write, edit: write, remove: write, combo: read },
    ...(isManage && { mayInstead: { field: "popId", may: "popConfig" as const } }),
  });
  return {
    scope,
    resource,
    lists: listsOf(spec, resource),
    importable: spec.importable ? importOfScope(spec, spec.importable, resource, owner) : null,
  };
};

/** People write names into files, not ids; what may be empty may be left out. */
const columnOf = ({ fields, references = {} }: AnyPolicyFamilySpec, name: string): z.ZodType => {
  if (references[name] !== undefined) return codec.text(64, 1);
  const field = fields.shape[name] as z.ZodType;
  return field.safeDecode("" as never).success ? codec.orNull(field) : field;
};

const importOfScope = (
  spec: AnyPolicyFamilySpec,
  { verb, columns }: Importable,
  resource: Resource<Shape, Shape, Shape>,
  owner: Shape,
): ImportEndpoint => {
  const { name, path, ops } = resource;
  return importOf({
    id: `${name}.${verb}`,
    path: `${path}/${verb}`,
    may: accessOf(resource, "add"),
    ...(ops.add.mayInstead && { mayInstead: ops.add.mayInstead }),
    owner,
    row: z.object(Object.fromEntries(columns.map((column) => [column, columnOf(spec, column)]))),
  });
};

const listsOf = ({ lists = {} }: AnyPolicyFamilySpec, resource: Resource<Shape, Shape, Shape>) => {
  const { list } = resource.ops;
  const entries = Object.entries(lists).map(([kind, verb], place) => [
    kind,
    place === 0
      ? list
      : pagedEndpoint({
          id: `${resource.name}.${verb}`,
          method: "GET",
          path: `${resource.path}/${verb}`,
          input: list.input,
          output: resource.row,
          may: accessOf(resource, "list"),
          mayInstead: list.mayInstead,
        }),
  ]);
  return Object.fromEntries(entries);
};

/** The resource whose list is that of one kind. */
export const ofKind = ({ resource, lists }: ScopedPolicy, kind: string): AnyResource => ({
  ...resource,
  ops: { ...resource.ops, list: lists[kind] ?? resource.ops.list },
});

/** Every call of one scope. */
export const endpointsOf = ({ resource, lists, importable }: ScopedPolicy): Endpoint[] => {
  const { ops } = resource as AnyResource;
  const endpoints = resource.verbs.map((verb: Verb) => ops[verb] as Endpoint);
  return [
    ...new Set<Endpoint>([
      ...endpoints,
      ...Object.values(lists),
      ...(importable ? [importable] : []),
    ]),
  ];
};
