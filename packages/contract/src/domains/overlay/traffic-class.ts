/**
 * Classes of traffic of an enterprise: limits of each, and the code points of its packets. In all spaces of the enterprise
 * the traffic of a class follows the links that keep its limits (ADR 0032).
 */

import { z } from "zod";
import { screens } from "#contract/access.ts";
import {
  type PathLimits,
  type SpacePaths,
  type TrafficClass,
  trafficClasses,
} from "#contract/device/v1/path-classes.ts";
import { nodeKinds } from "#domains/devices/enums.ts";
import { type ClassLimits, classLimits } from "#domains/devices/link-quality.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing } from "#kernel/endpoint.ts";
import { expectedVersion, rowVersion, versionedSettings } from "#kernel/row-version.ts";
import { failsWith } from "#kernel/rule.ts";
import { codePointsOf } from "#rules/dscp.ts";

const addition = "classes of traffic with quality limits; the specification has no call for them";

/** Percent. */
const loss = codec.decimal(0.1, 100);
/** Ms; null: no limit. */
const delay = codec.orNull(codec.int(1, 60_000));
const points = codec.text(200).refine((text) => codePointsOf(text) !== null, failsWith("dscp"));

const values = {
  /** False: all traffic of a space goes by the same links. */
  enable: codec.flag,
  realtimeLoss: loss,
  /** Of the round trip. */
  realtimeDelay: delay,
  /** RFC 3550. */
  realtimeJitter: delay,
  /** Such as "EF, CS5"; empty: no packet is of the class. */
  realtimeDscp: points,
  transactionalLoss: loss,
  transactionalDelay: delay,
  transactionalJitter: delay,
  transactionalDscp: points,
  bulkLoss: loss,
  bulkDelay: delay,
  bulkJitter: delay,
  bulkDscp: points,
  /** Of all other traffic. */
  defaultLoss: loss,
  defaultDelay: delay,
  defaultJitter: delay,
};

type Points = Record<`${TrafficClass}Dscp`, string>;
const dscpField = (name: TrafficClass) => `${name}Dscp` as const;

/** No code point is of two classes. */
const isApart =
  (name: TrafficClass) =>
  (draft: Points): boolean => {
    const before = trafficClasses.slice(0, trafficClasses.indexOf(name));
    const taken = new Set(
      before.flatMap((trafficClass) => codePointsOf(draft[dscpField(trafficClass)]) ?? []),
    );
    return !(codePointsOf(draft[dscpField(name)]) ?? []).some((codePoint) => taken.has(codePoint));
  };
const apart = (name: TrafficClass) =>
  [isApart(name), failsWith("dscpTwice", {}, [dscpField(name)])] as const;

export const trafficClassDraft = z
  .object(values)
  .refine(...apart("transactional"))
  .refine(...apart("bulk"));
export type TrafficClassDraft = z.output<typeof trafficClassDraft>;

/** Unless set otherwise. */
export const defaultClasses: TrafficClassDraft = {
  enable: false,
  realtimeLoss: classLimits.realtime.loss,
  realtimeDelay: classLimits.realtime.delay,
  realtimeJitter: classLimits.realtime.jitter,
  realtimeDscp: "EF, CS5, AF41, AF42, AF43",
  transactionalLoss: classLimits.transactional.loss,
  transactionalDelay: classLimits.transactional.delay,
  transactionalJitter: classLimits.transactional.jitter,
  transactionalDscp: "AF21, AF22, AF23, AF31, AF32, AF33",
  bulkLoss: classLimits.bulk.loss,
  bulkDelay: classLimits.bulk.delay,
  bulkJitter: classLimits.bulk.jitter,
  bulkDscp: "CS1",
  defaultLoss: classLimits.default.loss,
  defaultDelay: classLimits.default.delay,
  defaultJitter: classLimits.default.jitter,
};

/** Beyond what any path has. */
const unlimited = 60_000;

/** As devices have them. */
export const spacePathsOf = (spaceId: number, draft: TrafficClassDraft): SpacePaths => {
  const limits = (name: TrafficClass | "default"): PathLimits => ({
    loss: draft[`${name}Loss`],
    rtt: draft[`${name}Delay`] ?? unlimited,
    jitter: draft[`${name}Jitter`] ?? unlimited,
  });
  return {
    spaceId,
    limits: limits("default"),
    classes: trafficClasses.flatMap((name) => {
      const dscp = [...new Set(codePointsOf(draft[dscpField(name)]))];
      return dscp.length > 0 ? [{ name, limits: limits(name), dscp }] : [];
    }),
  };
};

/**
 * The strictest limits that traffic of the enterprise has: those of conversations, unless no packet is of that class.
 * Links are compared with them (link-quality.ts).
 */
export function strictestLimits(draft: TrafficClassDraft | null): ClassLimits {
  if (!draft?.enable) return classLimits.realtime;
  const used = (["realtime", "transactional"] as const).find(
    (name) => (codePointsOf(draft[dscpField(name)]) ?? []).length > 0,
  );
  const name = used ?? "default";
  return {
    loss: draft[`${name}Loss`],
    delay: draft[`${name}Delay`],
    jitter: draft[`${name}Jitter`],
  };
}

/** Why classes do not act on a device: it has not reported, or its edge or its kernel cannot. */
export const classLacks = ["unreported", "edge", "kernel"] as const;
export type ClassLack = (typeof classLacks)[number];

export const trafficClassGet = endpoint({
  id: "trafficClass.get",
  addition,
  method: "GET",
  path: "/customer/trafficClass/get",
  input: z.object({ groupid: codec.id }),
  output: z.object({
    groupid: z.number(),
    enable: codec.flag,
    realtimeLoss: z.number(),
    realtimeDelay: z.number().nullable(),
    realtimeJitter: z.number().nullable(),
    realtimeDscp: z.string(),
    transactionalLoss: z.number(),
    transactionalDelay: z.number().nullable(),
    transactionalJitter: z.number().nullable(),
    transactionalDscp: z.string(),
    bulkLoss: z.number(),
    bulkDelay: z.number().nullable(),
    bulkJitter: z.number().nullable(),
    bulkDscp: z.string(),
    defaultLoss: z.number(),
    defaultDelay: z.number().nullable(),
    defaultJitter: z.number().nullable(),
    /** Devices of the enterprise's spaces. */
    devices: z.number(),
    /** Those of them on which classes do not act; the first of them by name. */
    lacking: z.array(
      z.object({
        nodeId: z.number(),
        nodeKind: z.enum(nodeKinds),
        nodeName: z.string(),
        reason: z.enum(classLacks),
        /** As the device reports it; empty: it does not. */
        detail: z.string(),
      }),
    ),
    rowVersion,
  }),
  may: screens("/business-system/overlay/trafficClass"),
});

export const trafficClassEdit = endpoint({
  id: "trafficClass.edit",
  addition,
  method: "POST",
  path: "/customer/trafficClass/edit",
  input: trafficClassDraft.safeExtend({ groupid: codec.id, rowVersion: expectedVersion }),
  output: nothing,
  may: "configStaticroute",
});
export const trafficClassVersions = versionedSettings(
  "trafficClass",
  trafficClassGet.output,
  trafficClassEdit.input,
);
