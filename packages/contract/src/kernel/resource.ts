import { z } from "zod";
import type { Access } from "#contract/access.ts";
import * as codec from "#kernel/codec.ts";
import {
  type Endpoint,
  endpoint,
  type MayInstead,
  newId,
  nothing,
  pagedEndpoint,
  pageFields,
} from "#kernel/endpoint.ts";
import type { Message } from "#kernel/message.ts";
import { expectedVersion, rowVersion, versionField } from "#kernel/row-version.ts";
import type { SheetRule } from "#kernel/sheet-rule.ts";

export type Verb = "list" | "add" | "edit" | "remove" | "combo";

/** A choice in a select: id and what a person reads. */
export const comboItem = z.object({ id: z.number(), name: z.string() });

type Shape = z.ZodRawShape;

/**
 * A resource, declared once: true for storage, wire and screen alike.
 * `draft` is what a form holds and add and edit accept; `query` are the filters of its list.
 */
export interface ResourceSpec<Row extends Shape, Draft extends Shape, Query extends Shape> {
  /** Key of texts, cache and samples: "staticRoute". */
  readonly name: string;
  /** What people call a row: in the operation log, and where a row of another kind names it. */
  readonly title: Message;
  /**
   * Why there is a resource that the specification does not have; absent: its calls are those of
   * spec/endpoints.json, which is never edited.
   */
  readonly addition?: string;
  readonly path: `/${string}`;
  /** Field of the row that identifies it on the wire: "nID", "groupid", "id". */
  readonly id: keyof Row & string;
  readonly row: z.ZodObject<Row>;
  readonly draft: z.ZodObject<Draft>;
  readonly query: z.ZodObject<Query>;
  readonly verbs: readonly Verb[];
  /** Columns that the list may be sorted by; the first is the default. */
  readonly sort: readonly (keyof Row & string)[];
  /** How its rows go out to files and come in from them, or why they do not. */
  readonly sheet: SheetRule<keyof Draft & string>;
  /** Field of draft and query that names the owning row ("nCpeID"), for lists inside a node. */
  readonly owner?: keyof Draft & string;
  /** Fields that say whose rows a removal and a combo mean, where ids alone do not. */
  readonly inside?: Shape;
  /** Fields that some readers of a row do not see: no part of what a refused edit shows (row-version.ts). */
  readonly unversioned?: readonly (keyof Draft & string)[];
  readonly rename?: Partial<Record<Verb, string>>;
  /** Null: of a verb that the resource does not have. */
  readonly may: Readonly<Record<Verb, Access | null>>;
  readonly mayInstead?: MayInstead;
}

export interface ResourceOps<Row extends Shape, Draft extends Shape, Query extends Shape> {
  readonly list: Endpoint<z.ZodObject<Query & ListFields>, z.ZodArray<z.ZodObject<Row>>, true>;
  readonly add: Endpoint<z.ZodObject<Draft>, typeof newId, false>;
  readonly edit: Endpoint<z.ZodType<EditInput<Draft>>, typeof nothing, false>;
  readonly remove: Endpoint<z.ZodObject<{ ids: typeof codec.someIds }>, typeof nothing, false>;
  readonly combo: Endpoint<z.ZodObject<Shape>, z.ZodArray<typeof comboItem>, false>;
}

/**
 * A draft with the row's id under the resource's own name (`nID`, `groupid`, `id`), and with the
 * version that it was made from where the edit must not overwrite another's.
 */
export type EditInput<Draft extends Shape> = z.output<z.ZodObject<Draft>> &
  Readonly<Record<string, unknown>>;
export type ListFields = typeof pageFields & {
  readonly orderByColumn: z.ZodType<string | null>;
  readonly isAsc: z.ZodType<"asc" | "desc" | null>;
};

export interface Resource<Row extends Shape, Draft extends Shape, Query extends Shape>
  extends ResourceSpec<Row, Draft, Query> {
  readonly ops: ResourceOps<Row, Draft, Query>;
}

/** Calls of a resource that take or answer more than its draft and its row. */
type OwnCalls = Partial<Record<Verb, Endpoint>>;

type WithCalls<R extends { readonly ops: object }, Calls extends OwnCalls> = Omit<R, "ops"> & {
  readonly ops: Omit<R["ops"], keyof Calls> & Calls;
};

/**
 * The resource with calls of its own in place of those that follow from its draft. Its `ops` are then the calls on the wire:
 * a call that leaves out what they need, such as the caller's password, does not compile.
 */
export const withCalls = <R extends { readonly ops: object }, Calls extends OwnCalls>(
  resource: R,
  calls: Calls,
): WithCalls<R, Calls> => ({ ...resource, ops: { ...resource.ops, ...calls } });

// biome-ignore lint/suspicious/noExplicitAny: a list of unlike resources has no narrower type
type Unlike = Resource<any, any, any>;
export type AnyResource = Omit<Unlike, "ops"> & {
  readonly ops: Omit<Unlike["ops"], "combo"> & {
    // biome-ignore lint/suspicious/noExplicitAny: combos answer more than a resource's own
    readonly combo: Endpoint<any, any, false>;
  };
};
export type RowOf<R extends AnyResource> = z.output<R["row"]>;
export type DraftOf<R extends AnyResource> = z.output<R["draft"]>;

type AnyParts = { readonly id: string; readonly verbs: readonly Verb[] } & Readonly<
  Record<"row" | "draft", z.ZodType>
>;

// The shapes are generic here, so types of keys are widened; ResourceOps has the exact ones.
const listedRow = ({ row, verbs }: AnyParts): z.ZodObject =>
  verbs.includes("edit")
    ? (row as z.ZodObject).safeExtend({ [versionField]: rowVersion })
    : (row as z.ZodObject);

const editInput = ({ draft, id }: AnyParts): z.ZodObject =>
  (draft as z.ZodObject).safeExtend({ [id]: codec.id, [versionField]: expectedVersion });

/** Who may: said of every verb that there is. No call of the others is mounted. */
export function accessOf(
  {
    name,
    verbs,
    may,
  }: { readonly name: string; readonly verbs: readonly Verb[] } & Pick<AnyResource, "may">,
  verb: Verb,
): Access {
  const access = may[verb];
  if (access === null && verbs.includes(verb)) throw new Error(`${name}: say who may ${verb}`);
  return access as Access;
}

/**
 * Makes the endpoints of a resource. The id field of an edit has the resource's own name (`nID`,
 * `groupid`) on the wire and in memory alike: read it as `input[resource.id]`.
 */
export const defineResource = <Row extends Shape, Draft extends Shape, Query extends Shape>(
  spec: ResourceSpec<Row, Draft, Query>,
): Resource<Row, Draft, Query> => {
  const path = (verb: Verb) => `${spec.path}/${spec.rename?.[verb] ?? verb}` as const;
  const name = (verb: Verb) => `${spec.name}.${spec.rename?.[verb] ?? verb}`;
  const { inside = {}, mayInstead, addition } = spec;
  const row = listedRow(spec) as z.ZodObject<Row>;
  const alike = (verb: Verb) => ({
    id: name(verb),
    path: path(verb),
    may: accessOf(spec, verb),
    mayInstead,
    addition,
  });
  const ops = {
    list: pagedEndpoint({
      ...alike("list"),
      method: "GET",
      input: spec.query.extend({
        ...pageFields,
        orderByColumn: codec.orNull(codec.oneOf(spec.sort)),
        isAsc: codec.orNull(codec.oneOf(["asc", "desc"])),
      }),
      output: row,
    }),
    add: endpoint({
      ...alike("add"),
      method: "POST",
      input: spec.draft,
      output: newId,
    }),
    edit: endpoint({
      ...alike("edit"),
      method: "POST",
      input: editInput(spec),
      output: nothing,
    }),
    remove: endpoint({
      ...alike("remove"),
      method: "POST",
      input: z.object({ ids: codec.someIds, ...inside }),
      output: nothing,
    }),
    combo: endpoint({
      ...alike("combo"),
      method: "GET",
      input: z.object(inside),
      output: z.array(comboItem),
    }),
  };
  return { ...spec, row, ops: ops as unknown as ResourceOps<Row, Draft, Query> };
};
