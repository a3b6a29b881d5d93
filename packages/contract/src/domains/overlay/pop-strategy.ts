import { z } from "zod";
import { namesForForms, screens } from "#contract/access.ts";
import { finding } from "#contract/device/v1/findings.ts";
import type { Samples } from "#contract/samples/sample.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, pagedEndpoint, pageFields } from "#kernel/endpoint.ts";
import { comboItem, defineResource, withCalls } from "#kernel/resource.ts";
import * as text from "#rules/text.ts";

const may = {
  list: screens("/sdwan-system/pop", "/sdwan-system/enterprisemanage"),
  add: "popStrategyAdd",
  edit: "popStrategyEdit",
  remove: "popStrategyRemove",
  combo: namesForForms,
} as const;

/** POPs that customers' nodes may use, the most wanted first. */
export const popStrategy = defineResource({
  name: "popStrategy",
  title: ["POP 策略", "POP strategy"],
  path: "/customer/popStrategy",
  id: "id",
  row: z.object({
    id: z.number(),
    name: z.string(),
    groupid: z.number(),
    enterpriseName: z.string(),
    popIds: codec.idList,
    /** Groups of the strategy, and enterprises that use it. */
    groups: z.number(),
    users: z.number(),
    /** CPEs of those enterprises that are in a space, and links that they have with POPs. */
    sites: z.number(),
    links: z.number(),
    /** Of the CPEs: whose links still move from other POPs, and that have none with a POP of the strategy. */
    moving: z.number(),
    unplaced: z.number(),
    remark: z.string(),
    createTime: codec.instant,
  }),
  draft: z.object({
    name: text.name,
    /** Whose it is; null: the caller's own. */
    groupid: codec.orNull(codec.id),
    popIds: codec.idList,
    remark: text.remark,
  }),
  query: z.object({ name: codec.orNull(codec.text(64)), groupid: codec.orNull(codec.id) }),
  verbs: ["list", "add", "edit", "remove", "combo"],
  sort: ["id", "name", "createTime"],
  sheet: { key: ["groupid", "name"] },
  may,
});

/** POPs of a strategy that belong together, by region for example. */
const declaredGroup = defineResource({
  name: "popGroup",
  title: ["POP 分组", "POP group"],
  path: "/customer/popGroup",
  id: "id",
  row: z.object({
    id: z.number(),
    name: z.string(),
    strategyId: z.number(),
    strategyName: z.string(),
    popIds: codec.idList,
    createTime: codec.instant,
  }),
  draft: z.object({ name: text.name, strategyId: codec.id, popIds: codec.idList }),
  query: z.object({ strategyId: codec.orNull(codec.id) }),
  verbs: ["list", "add", "edit", "remove", "combo"],
  sort: ["id", "name"],
  sheet: { key: ["strategyId", "name"] },
  may,
});

/**
 * What a CPE under a strategy has. `placed`: links with POPs of it only; `moving`: such links, and others that
 * go once these carry; `unplaced`: no link with a POP of the strategy.
 */
export const siteStandings = ["placed", "moving", "unplaced"] as const;
export type SiteStanding = (typeof siteStandings)[number];

/** CPEs under a strategy, by name, with the POPs that they have links with and what keeps them from others. */
export const popStrategySites = pagedEndpoint({
  id: "popStrategy.sites",
  method: "GET",
  path: "/customer/popStrategy/sites",
  input: z.object({ strategyId: codec.id, ...pageFields }),
  output: z.object({
    /** The CPE's. */
    id: z.number(),
    name: z.string(),
    enterpriseName: z.string(),
    netSpaceId: z.number(),
    netSpaceName: z.string(),
    standing: z.enum(siteStandings),
    /** The most wanted first. */
    popIds: codec.idList,
    /** POPs that it leaves: links with them go once others carry. */
    leavingPopIds: codec.idList,
    /** Why links are missing; reasons are `spaceFindingReasons`. */
    findings: z.array(finding),
  }),
  may: screens("/sdwan-system/pop"),
  addition: "a strategy acts, so people ask which sites it reaches and which it cannot place",
});

/** Groups of one strategy, or of all that the caller sees. */
export const popGroupCombo = endpoint({
  id: "popGroup.combo",
  method: "GET",
  path: "/customer/popGroup/combo",
  input: z.object({ strategyId: codec.orNull(codec.id) }),
  output: z.array(comboItem),
  may: namesForForms,
});

export const popGroup = withCalls(declaredGroup, { combo: popGroupCombo });

/** The POPs of a POP group, in its order. `groupid` is the POP group here, not an enterprise. */
export const popGroupDefList = pagedEndpoint({
  id: "popGroupDef.list",
  method: "GET",
  path: "/customer/popGroupDef/list",
  input: z.object({ groupid: codec.id, ...pageFields }),
  output: z.object({
    id: z.number(),
    groupid: z.number(),
    popId: z.number(),
    popName: z.string(),
    regions: z.string(),
    linkStatus: codec.flag,
  }),
  may: screens("/sdwan-system/pop", "/sdwan-system/enterprisemanage"),
});

export const popStrategySamples: Samples<typeof popStrategy> = {
  valid: ({ groupid, popId }) => ({
    name: "华东优先",
    groupid,
    popIds: popId === 0 ? [] : [popId],
    remark: "",
  }),
  edited: (ids) => ({ ...popStrategySamples.valid(ids), name: "华东", popIds: [] }),
  distinct: ({ name }) => ({ name }),
  invalid: [
    { field: "name", value: "", rule: "required" },
    { field: "name", value: "a b", rule: "name" },
    { field: "popIds", value: [0], rule: "integer" },
  ],
};

export const popGroupSamples: Samples<typeof popGroup> = {
  valid: ({ strategyId = 1, popId }) => ({ name: "上海", strategyId, popIds: [popId] }),
  edited: (ids) => ({ ...popGroupSamples.valid(ids), name: "上海-02", popIds: [] }),
  distinct: ({ name }) => ({ name }),
  invalid: [
    { field: "name", value: "", rule: "required" },
    { field: "strategyId", value: 0, rule: "outOfRange" },
    { field: "popIds", value: [0], rule: "integer" },
  ],
};
