/** What is particular about one simulated box: what it lacks, what is broken around it. */
import { z } from "zod";

/** All of it is optional: a box without a character is well. */
export const character = z.strictObject({
  /** Interfaces that the box has; null: any that a state names. */
  ports: z.array(z.string()).nullable().default(null),
  /** Interfaces of lines whose carrier is gone. */
  deadLines: z.array(z.string()).default([]),
  /** Loss on every link, in percent, beside what is usual. */
  lossPercent: z.number().min(0).max(100).default(0),
  /** Round trip time on every link, in ms, beside what is usual. */
  extraRttMs: z.number().min(0).max(5_000).default(0),
  /** Somebody at the box takes a setting away, and the box does not put it back. */
  drifts: z.boolean().default(false),
  /** The box is switched off for good, a while after its first state was confirmed. */
  leaves: z.boolean().default(false),
});

export type Character = z.output<typeof character>;

export const well: Character = character.parse({});

/** One member of a fleet: the claim that it enrols with, and what is particular about it. */
export const member = z.strictObject({
  claim: z.string(),
  serialNumber: z.string().min(4).max(64),
  character: character.default(well),
});

export type Member = z.output<typeof member>;
