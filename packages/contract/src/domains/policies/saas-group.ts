/**
 * Acceleration groups (specification section 2.4): destinations of one kind that are meant to leave
 * through a chosen POP. Four kinds, declared once; each has its calls and its screen.
 */
import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { defineResource } from "#kernel/resource.ts";
import { membersOfKind } from "#rules/members.ts";
import * as text from "#rules/text.ts";
import { type DestinationKind, destinationKinds } from "./acceleration-enums.ts";

const groupOf = <const Kind extends DestinationKind>(kind: Kind) => {
  const values = membersOfKind(kind);
  return defineResource({
    name: `saasGroup.${kind}`,
    path: `/customer/saasGroup/${kind}`,
    id: "id",
    row: z.object({
      id: z.number(),
      kind: z.enum(destinationKinds),
      name: z.string(),
      groupid: z.number(),
      enterpriseName: z.string(),
      values,
      popId: z.number().nullable(),
      popName: z.string().nullable(),
      enable: codec.flag,
      remark: z.string(),
      createTime: codec.instant,
    }),
    draft: z.object({
      name: text.name,
      /** Whose it is; null: the caller's own. */
      groupid: codec.orNull(codec.id),
      /** Host names, addresses, or numbers of protocols (rules/applications.ts) or applications. */
      values,
      /** Where it leaves; null: the controller chooses. */
      popId: codec.orNull(codec.id),
      enable: codec.flag,
      remark: text.remark,
    }),
    query: z.object({ name: codec.orNull(codec.text(64)), groupid: codec.orNull(codec.id) }),
    verbs: ["list", "add", "edit", "remove", "combo"],
    sort: ["id", "name", "createTime"],
    may: {
      list: null,
      add: "enterpriseGamespeed",
      edit: "enterpriseGamespeed",
      remove: "enterpriseGamespeed",
      combo: null,
    },
  });
};

export const saasGroups = {
  domain: groupOf("domain"),
  dpi: groupOf("dpi"),
  ip: groupOf("ip"),
  app: groupOf("app"),
} as const satisfies Record<DestinationKind, unknown>;
