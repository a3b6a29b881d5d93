/**
 * Acceleration groups (specification section 2.4): destinations of one kind that are meant to leave
 * through a selected POP. Four kinds, declared once; each has its calls and its screen.
 */

import { z } from "zod";
import { namesForForms, screens } from "#contract/access.ts";
import { type Mark, networkOf, type SampleIds, type Samples } from "#contract/samples/sample.ts";
import * as codec from "#kernel/codec.ts";
import type { Message } from "#kernel/message.ts";
import { defineResource } from "#kernel/resource.ts";
import type { RuleCode } from "#kernel/rule.ts";
import { applications } from "#rules/applications.ts";
import { membersOfKind } from "#rules/members.ts";
import * as text from "#rules/text.ts";
import { type DestinationKind, destinationKinds } from "./destination-enums.ts";

const titles: Readonly<Record<DestinationKind, Message>> = {
  domain: ["域名加速组", "Domain acceleration group"],
  dpi: ["DPI 加速组", "DPI acceleration group"],
  ip: ["IP 加速组", "IP acceleration group"],
  app: ["应用加速组", "Application acceleration group"],
};

const groupOf = <const Kind extends DestinationKind>(kind: Kind) => {
  const values = membersOfKind(kind);
  return defineResource({
    name: `saasGroup.${kind}`,
    title: titles[kind],
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
      /** Where it leaves; null: at the POP that each CPE has the best link to. */
      popId: codec.orNull(codec.id),
      enable: codec.flag,
      remark: text.remark,
    }),
    query: z.object({ name: codec.orNull(codec.text(64)), groupid: codec.orNull(codec.id) }),
    verbs: ["list", "add", "edit", "remove", "combo"],
    sort: ["id", "name", "createTime"],
    sheet: { key: ["groupid", "name"] },
    may: {
      list: screens("/business-system/saasquickly"),
      add: "enterpriseGamespeed",
      edit: "enterpriseGamespeed",
      remove: "enterpriseGamespeed",
      combo: namesForForms,
    },
  });
};

export const saasGroups = {
  domain: groupOf("domain"),
  dpi: groupOf("dpi"),
  ip: groupOf("ip"),
  app: groupOf("app"),
} as const satisfies Record<DestinationKind, unknown>;

interface Members {
  readonly valid: readonly string[];
  readonly edited: readonly string[];
  readonly wrong: readonly [string, RuleCode];
  distinct(mark: Mark): string;
}

// The annotations let the console's build leave the samples out.
/* @__NO_SIDE_EFFECTS__ */
const samplesOf = (
  name: string,
  { valid, edited, wrong, distinct }: Members,
): Samples<(typeof saasGroups)[DestinationKind]> => {
  const draft = ({ groupid, popId }: SampleIds) => ({
    name,
    groupid,
    popId,
    values: [...valid],
    enable: true,
    remark: "",
  });
  return {
    valid: draft,
    edited: (ids) => ({ ...draft(ids), values: [...edited], popId: null, enable: false }),
    distinct: (mark) => ({ name: mark.name, values: [distinct(mark)] }),
    invalid: [
      { field: "name", value: "a b", rule: "name" },
      { field: "values", value: [wrong[0]], rule: wrong[1] },
      { field: "popId", value: -1, rule: "outOfRange" },
    ],
  };
};

// Entries of the controller's catalogue: kind k has the numbers from k,001 on, here how many.
const entriesOfKind = [17, 2, 3, 21, 7, 14, 20, 21, 9, 13, 13, 12, 10, 11, 7, 6, 3, 15, 36];
const catalogued = /* @__PURE__ */ entriesOfKind.flatMap((count, at) =>
  Array.from({ length: count }, (_, place) => 1_000 * (at + 1) + place + 1),
);

export const saasGroupSamples = {
  domain: samplesOf("办公域名", {
    valid: ["*.office.com", "teams.microsoft.com"],
    edited: ["*.office.com"],
    wrong: ["office", "hostName"],
    distinct: ({ latin }) => `${latin}.example.com`,
  }),
  dpi: samplesOf("会议协议", {
    valid: ["500", "503"],
    edited: ["500"],
    wrong: ["99999", "unknown"],
    distinct: ({ number }) => String(applications[number % applications.length]?.id),
  }),
  ip: samplesOf("海外网段", {
    valid: ["203.0.113.0/24", "198.51.100.10-198.51.100.20"],
    edited: ["203.0.113.0/25"],
    wrong: ["203.0.113.0/33", "ipSet"],
    distinct: (mark) => `${networkOf(mark)}.9`,
  }),
  app: samplesOf("办公应用", {
    valid: ["1001"],
    edited: ["1001", "1002"],
    wrong: ["office", "unknown"],
    distinct: ({ number }) => String(catalogued[number % catalogued.length]),
  }),
} as const;
