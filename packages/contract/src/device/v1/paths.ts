/**
 * Choice of path by quality (docs/protocol.md, paths): the limits by which a device leaves a link for a better one, how
 * it measures, and what it reports of it. The section is sent only to devices with the capability.
 */
import { z } from "zod";
import { reportedMs, reportedPercent } from "#contract/device/v1/numbers.ts";
import { pathLimits, spacePaths, trafficClasses } from "#contract/device/v1/path-classes.ts";
import { defineSection } from "#contract/device/v1/section.ts";

/** An edge with it measures its links in each direction, and prefers those that keep the limits. */
export const pathCapability = "path.quality";

/** UDP port, inside the links, of the packets that measure them. */
export const pathPort = 21_862;

export const pathsSection = z.strictObject({
  /** Of traffic without a class, in spaces without limits of their own. */
  limits: pathLimits,
  /** Seconds that a link which was left stays behind the others at least, however good it is. */
  returnAfter: z.int().min(1).max(86_400),
  /** Spaces with classes of traffic; absent: none. Only for devices with `path.classes`. */
  spaces: z.array(spacePaths).max(10_000).optional(),
});
export type PathsSection = z.output<typeof pathsSection>;

/**
 * Limits of the default class, between what conversations and what plain transfers notice (ITU-T G.1010), and the
 * time in which a line at its limit moves traffic once at most.
 */
export const defaultPaths: PathsSection = {
  limits: { loss: 2, rtt: 250, jitter: 50 },
  returnAfter: 600,
};

/**
 * What a device finds of the direction that it sends in. `unknown`: the other end does not measure. `flapping`: it
 * fell several times lately, and stays behind for a while. `oneWay`: the other end's packets arrive, and it gets none.
 */
export const pathStates = ["ok", "brownout", "flapping", "oneWay", "blackout", "unknown"] as const;
export type PathState = (typeof pathStates)[number];

/** Why traffic was moved. `returned`: the link that is preferred is good again. */
export const moveReasons = [
  "loss",
  "delay",
  "jitter",
  "oneWay",
  "blackout",
  "flapping",
  "returned",
] as const;
export type MoveReason = (typeof moveReasons)[number];

const linkId = z.int().positive();

/** Of the direction that the device sends in; null: not known. */
const qualityShape = {
  lossPercent: reportedPercent,
  rttMs: reportedMs,
  jitterMs: reportedMs,
};
export const pathQuality = z.strictObject(qualityShape);
export type PathQuality = z.output<typeof pathQuality>;

/** Links in one message; the others come with the next. */
export const maxPaths = 2_000;

/** Links whose direction changed, or measures otherwise than when it was last reported. */
export const paths = z.strictObject({
  type: z.literal("paths"),
  items: z
    .array(
      z.strictObject({
        link: linkId,
        state: z.enum(pathStates),
        /** Traffic of the space goes by it now. */
        used: z.boolean(),
        /** It is behind the links that were not left, for now. */
        left: z.boolean(),
        /** Classes whose traffic goes by it now; absent: the space has no classes, or the controller reads none. */
        classes: z.array(z.enum(trafficClasses)).max(trafficClasses.length).optional(),
        ...qualityShape,
      }),
    )
    .min(1)
    .max(maxPaths),
});

/** Moves in one message; a device that has more leaves out the oldest. */
export const maxMoves = 100;

export const linkMoveItem = z.strictObject({
  /** New at each start of the edge; numbers count up from 1 within it. */
  boot: z.string().regex(/^[A-Za-z0-9_-]{22,64}$/),
  sequence: z.int().positive(),
  from: linkId,
  to: linkId,
  reason: z.enum(moveReasons),
  /** Absent: traffic without a class. */
  trafficClass: z.enum(trafficClasses).optional(),
  /** Ms before the message was sent. */
  ago: z
    .int()
    .min(0)
    .max(30 * 86_400_000),
  /** Of the link that was left, and of the one that was taken, at that moment. */
  fromQuality: pathQuality,
  toQuality: pathQuality,
});
export type LinkMoveItem = z.output<typeof linkMoveItem>;

/**
 * Traffic of a space that the device sends by another link now, oldest first. Sent again until a ping after it was
 * answered: the controller may meet one twice, and keeps it once.
 */
export const moves = z.strictObject({
  type: z.literal("moves"),
  items: z.array(linkMoveItem).min(1).max(maxMoves),
});

/** The choice of paths follows from what the device can, not from rows. */
export const pathsDeclaration = defineSection(pathsSection, {
  occurs: "optional",
  needs: { capability: pathCapability },
  limits: {
    spaces: { follows: "compile leaves out spaces that are beyond: they have one class" },
    "spaces[].special": { follows: "a device has 13,716 ports for links" },
    "spaces[].classes": { follows: "there are three of them" },
    "spaces[].classes[].dscp": { follows: "there are 64 code points" },
  },
  fields: {
    limits: { list: null, removal: "follows", restored: "present" },
    returnAfter: { list: null, removal: "follows", restored: "present" },
    spaces: { list: null, removal: "follows", restored: "present" },
  },
});
