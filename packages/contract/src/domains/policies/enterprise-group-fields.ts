import { z } from "zod";
import { screens } from "#contract/access.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint } from "#kernel/endpoint.ts";
import * as text from "#rules/text.ts";

/** Their own screen; and the entry of the menu that the specification has for calls of theirs without a code. */
export const groupScreens = screens("/business-system/objectgroup", "/business-system/saasquickly");

/** What the IP groups and the URL groups of enterprises have in common. */
export const enterpriseGroup = {
  row: z.object({
    id: z.number(),
    name: z.string(),
    groupid: z.number(),
    members: z.codec(z.string(), z.array(z.string()), {
      decode: (value) => value.split(","),
      encode: (value) => value.join(","),
    }),
    remark: z.string(),
    createTime: codec.instant,
  }),
  draft: z.object({
    name: text.name,
    /** Whose it is; null: the caller's own. */
    groupid: codec.orNull(codec.id),
    remark: text.remark,
  }),
  query: z.object({
    name: codec.orNull(codec.text(64)),
    groupid: codec.orNull(codec.id),
  }),
  /** What a row has beside it in lists. */
  facts: z.object({
    /** Empty: of an enterprise above the caller's. */
    enterpriseName: z.string(),
  }),
} as const;

/** Nodes and templates of one group that are named at most; the counts say how many there are. */
export const maxGroupUsers = 20;

/**
 * Whose groups of the same name have no entries, and take the members of a group of an enterprise: nodes as they are
 * configured now, templates as their draft is. As far as the caller may see them, by name.
 */
const groupUsers = z.object({
  nodeCount: z.number(),
  nodes: z.array(z.object({ id: z.number(), kind: z.enum(["cpe", "pop"]), name: z.string() })),
  templateCount: z.number(),
  templates: z.array(z.object({ id: z.number(), name: z.string() })),
});
const groupUses = groupUsers.extend({ id: z.number() });
export type GroupUsers = z.output<typeof groupUsers>;
export type GroupUses = z.output<typeof groupUses>;

/** Who takes the members of these groups. One that the caller does not see has no users. */
export const groupUsesOf = <const Name extends "ipgroup" | "urlgroup">(name: Name) =>
  endpoint({
    id: `${name}.uses`,
    addition: "an edit of a group changes devices: lists and dialogs name them",
    method: "GET",
    path: `/customer/${name}/uses`,
    input: z.object({ ids: codec.someIds }),
    output: z.array(groupUses),
    may: groupScreens,
  });

/** Who would take the members of a group as a form has it, before it is saved. */
export const groupPreviewOf = <const Name extends "ipgroup" | "urlgroup">(name: Name) =>
  endpoint({
    id: `${name}.preview`,
    addition: "a form says which devices it changes before it is saved",
    method: "GET",
    path: `/customer/${name}/preview`,
    input: z.object({
      /** The group that is edited; null: a new one. */
      id: codec.orNull(codec.id),
      /** Null: the caller's own enterprise. */
      groupid: codec.orNull(codec.id),
      name: text.name,
      share: codec.flag.default(false),
    }),
    output: groupUsers,
    may: groupScreens,
  });
