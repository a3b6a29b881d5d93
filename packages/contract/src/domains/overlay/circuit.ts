import { z } from "zod";
import { screens } from "#contract/access.ts";
import type { Samples } from "#contract/samples/sample.ts";
import { lineQualities, nodeKinds } from "#domains/devices/enums.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, readsMetrics } from "#kernel/endpoint.ts";
import { defineResource } from "#kernel/resource.ts";
import { failsWith } from "#kernel/rule.ts";
import { rangeFields, rangeIssue } from "#kernel/time-range.ts";
import { bandwidthKbps } from "#rules/number.ts";
import * as text from "#rules/text.ts";

/** 0 disabled, 3 normal, 4 due within 30 days, 5 expired (the codes of accounts, section 2.6). */
export const circuitStates = [0, 3, 4, 5] as const;

/** Bandwidth sold to an enterprise between two nodes: its CPEs, and POPs that serve it. */
const draft = z
  .object({
    name: text.name,
    groupid: codec.id,
    sourceId: codec.id,
    targetId: codec.id,
    /** kbit/s, never more than the lines of either end carry. */
    bandwidth: bandwidthKbps,
    /** kbit/s that are kept free for it; null: none. */
    guaranteed: codec.orNull(bandwidthKbps),
    lineQuality: codec.code(lineQualities),
    enable: codec.flag,
    expireTime: codec.orNull(codec.expiry),
    remark: text.remark,
  })
  .refine(({ sourceId, targetId }) => sourceId !== targetId, failsWith("twoEnds", {}, ["targetId"]))
  .refine(
    ({ guaranteed, bandwidth }) => guaranteed === null || !(guaranteed > bandwidth),
    failsWith("aboveMaximum", {}, ["guaranteed"]),
  );

const row = z.object({
  id: z.number(),
  name: z.string(),
  groupid: z.number(),
  enterpriseName: z.string(),
  sourceId: z.number(),
  sourceKind: z.enum(nodeKinds),
  sourceName: z.string(),
  targetId: z.number(),
  targetKind: z.enum(nodeKinds),
  targetName: z.string(),
  bandwidth: z.number(),
  guaranteed: z.number().nullable(),
  lineQuality: z.number(),
  enable: codec.flag,
  expireTime: codec.instant.nullable(),
  status: codec.code(circuitStates),
  /** Overlay links of the enterprise straight between the two ends, and those of them that are up. */
  links: z.number(),
  linksUp: z.number(),
  remark: z.string(),
  createTime: codec.instant,
});

export const circuit = defineResource({
  name: "xwanCircuit",
  title: ["专线", "Circuit"],
  path: "/customer/xwanCircuit",
  id: "id",
  row,
  draft,
  query: z.object({
    name: codec.orNull(codec.text(64)),
    groupid: codec.orNull(codec.id),
  }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["id", "name", "bandwidth", "expireTime", "createTime"],
  sheet: { key: ["groupid", "name"] },
  may: {
    list: screens("/business-system/circuitmanage"),
    add: "circuitAdd",
    edit: "circuitEdit",
    remove: "circuitRemove",
    combo: null,
  },
});

const reading = z.number().nullable();
/** bit/s towards the source and away from it; null: nothing was measured, which is not zero. */
const ratePoint = z.object({ time: codec.instant, inRate: reading, outRate: reading });

/** One circuit: the links between its ends added up, latency and loss of the worst of them. */
export const circuitReport = readsMetrics(
  endpoint({
    id: "xwanCircuit.report",
    method: "GET",
    path: "/customer/xwanCircuit/report",
    input: z.object({ id: codec.id, ...rangeFields }).refine(...rangeIssue),
    /** ms, percent. */
    output: z.array(ratePoint.extend({ delay: reading, loss: reading })),
    may: screens("/business-system/circuitmanage"),
  }),
);

/** All circuits of the caller added up; a link that serves two of them counts once. */
export const circuitReportAll = readsMetrics(
  endpoint({
    id: "xwanCircuit.reportAll",
    method: "GET",
    path: "/customer/xwanCircuit/reportAll",
    input: z.object(rangeFields).refine(...rangeIssue),
    output: z.array(ratePoint),
    may: screens("/business-system/circuitmanage"),
  }),
);

/** The circuits of one enterprise added up. */
export const circuitReportByEnterprise = readsMetrics(
  endpoint({
    id: "xwanCircuit.reportByEnterprise",
    method: "GET",
    path: "/customer/xwanCircuit/reportByEnterprise",
    input: z.object({ groupid: codec.id, ...rangeFields }).refine(...rangeIssue),
    output: z.array(ratePoint),
    may: screens("/business-system/circuitmanage"),
  }),
);

/** Bytes by step over the circuits of an enterprise or of all; without a range the last 24 hours. */
export const circuitBytes = readsMetrics(
  endpoint({
    id: "xwanCircuit.byteListByGroup",
    method: "GET",
    path: "/customer/xwanCircuit/byteListByGroup",
    input: z
      .object({
        groupid: codec.orNull(codec.id),
        startTime: codec.orNull(codec.instant),
        endTime: codec.orNull(codec.instant),
      })
      .refine(
        ({ startTime, endTime }) =>
          (startTime === null) === (endTime === null) &&
          (startTime === null || endTime === null || rangeIssue[0]({ startTime, endTime })),
        failsWith("notAllowed", {}, ["endTime"]),
      ),
    output: z.array(z.object({ time: codec.instant, inBytes: reading, outBytes: reading })),
    may: screens("/business-system/circuitmanage"),
  }),
);

export const circuitSamples: Samples<typeof circuit> = {
  valid: ({ groupid, cpeId, popId }) => ({
    name: "杭州-上海-10M",
    groupid,
    sourceId: cpeId,
    targetId: popId,
    bandwidth: 10_000,
    guaranteed: 5_000,
    lineQuality: 1,
    enable: true,
    expireTime: new Date("2099-12-31T00:00:00Z"),
    remark: "",
  }),
  edited: (ids) => ({
    ...circuitSamples.valid(ids),
    name: "杭州-上海-8M",
    bandwidth: 8_000,
    guaranteed: null,
    enable: false,
    expireTime: null,
  }),
  distinct: ({ name }) => ({ name }),
  invalid: [
    { field: "name", value: "", rule: "required" },
    { field: "bandwidth", value: 63, rule: "bandwidth" },
    { field: "guaranteed", value: 10_001, rule: "aboveMaximum" },
    { field: "lineQuality", value: 9, rule: "oneOf" },
    { field: "expireTime", value: "soon", rule: "instant" },
  ],
};
