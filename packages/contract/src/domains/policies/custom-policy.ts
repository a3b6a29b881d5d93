import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { definePolicyFamily } from "#kernel/policy-family.ts";
import { failsWith } from "#kernel/rule.ts";
import { areApplications, isBuiltIn, ownProtocolOf } from "#rules/applications.ts";
import { portOrRange } from "#rules/host.ts";
import { ruleKinds, transports } from "./enums.ts";
import { addresses, isAddresses, isDomain, named, ordered, orderedRule } from "./policy-fields.ts";

const areBuiltIn = (ids: readonly number[]): boolean =>
  areApplications(ids) && ids.every((id) => ownProtocolOf(id) === null);

/** A protocol of one's own: by ports and address, or as a name for protocols of the catalogue. */
export const customPolicy = definePolicyFamily({
  ...orderedRule,
  name: "routerProtocolex",
  title: ["自定义策略", "custom policy"],
  plural: "custom policies",
  fields: z.object({
    ...named,
    ...ordered,
    l7pro: codec.idList.refine(areBuiltIn, failsWith("unknown")),
    /** Entry of the catalogue under which it is listed; 0: none. */
    nPid: codec.int(0, 99_999).refine((id) => id === 0 || isBuiltIn(id), failsWith("unknown")),
    protocol: codec.oneOf(transports),
    srcPort: codec.orNull(portOrRange),
    dstPort: codec.orNull(portOrRange),
    dstIp: codec.orNull(addresses),
  }),
  importable: {
    verb: "importTem",
    columns: ["name", "protocol", "srcPort", "dstPort", "dstIp", "remark"],
    rest: { enable: true, sort: null, l7pro: [], nPid: 0 },
  },
});

/** A node or domain of a custom policy. */
export const customRule = definePolicyFamily({
  name: "routerRuleCustom",
  title: ["自定义规则", "custom rule"],
  plural: "custom rules",
  fields: z
    .object({ ...named, kind: codec.oneOf(ruleKinds), refId: codec.id, value: codec.text(253, 1) })
    .refine(
      ({ kind, value }) => kind !== "node" || isAddresses(value),
      failsWith("ipSet", {}, ["value"]),
    )
    .refine(
      ({ kind, value }) => kind !== "domain" || isDomain(value),
      failsWith("hostName", {}, ["value"]),
    ),
  facts: z.object({}),
  references: { refId: "routerProtocolex" },
  merge: { by: "parent", field: "refId" },
  filters: ["refId"],
  label: "name",
  lists: { node: "nodeList", domain: "domainList" },
  verbs: ["list", "add", "remove"],
  sort: ["name", "value"],
});
