/**
 * Traffic classes (docs/protocol.md, paths; ADR 0032): limits of an enterprise by class, and how a packet gets into one.
 * The traffic of each class follows the links that keep its own limits. Sent only to devices with the capability.
 */
import { z } from "zod";

/** An edge with it chooses a link for each class, and reads `spaces` of the section `paths`. */
export const classesCapability = "path.classes";

/** An edge with it reads `special` of a space. */
export const specialLinksCapability = "path.lines";

/** Classes beside the default one, in the order of their numbers in the mark and in routing. */
export const trafficClasses = ["realtime", "transactional", "bulk"] as const;
export type TrafficClass = (typeof trafficClasses)[number];

/** The class that takes links over special lines first. */
export const specialClass: TrafficClass = "realtime";

/** Of a class: percent, and ms of round trip and of jitter (RFC 3550). */
export const pathLimits = z.strictObject({
  loss: z.number().min(0.1).max(100),
  rtt: z.int().min(1).max(60_000),
  jitter: z.int().min(1).max(60_000),
});
export type PathLimits = z.output<typeof pathLimits>;

/** Differentiated services code point (RFC 2474). */
export const dscp = z.int().min(0).max(63);

const classPath = z.strictObject({
  name: z.enum(trafficClasses),
  limits: pathLimits,
  /** Code points of its packets; none of another class of the space. */
  dscp: z.array(dscp).min(1).max(64),
});
export type ClassPath = z.output<typeof classPath>;

const isUnique = (classes: readonly ClassPath[]): boolean => {
  const [names, points] = [
    classes.map(({ name }) => name),
    classes.flatMap((trafficClass) => trafficClass.dscp),
  ];
  return new Set(names).size === names.length && new Set(points).size === points.length;
};

export const spacePaths = z.strictObject({
  spaceId: z.int().positive(),
  /** Of traffic without a class. */
  limits: pathLimits,
  classes: z.array(classPath).max(trafficClasses.length).refine(isUnique),
  /**
   * Links over special lines: real-time traffic prefers them to all others as long as they keep its limits. Absent: none.
   * Only for devices with `path.lines`.
   */
  special: z.array(z.int().positive()).max(20_000).optional(),
});
export type SpacePaths = z.output<typeof spacePaths>;

/** Number of the routing table with the exceptions of a class. */
export const classTable = (name: TrafficClass): number => 121 + trafficClasses.indexOf(name);
