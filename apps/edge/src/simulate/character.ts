/** What is particular about one simulated device: what it lacks, what is broken around it. */
import { z } from "zod";

/** All of it is optional: a device without a character has no faults. */
export const character = z.strictObject({
  /** Interfaces that the device has; null: any that a state names. */
  ports: z.array(z.string()).nullable().default(null),
  /** Interfaces of lines whose carrier is gone. */
  deadLines: z.array(z.string()).default([]),
  /** Loss on every link, in percent, added to the normal value. */
  lossPercent: z.number().min(0).max(100).default(0),
  /** Round trip time on every link, in ms, added to the normal value: the other end measures it as well. */
  extraRttMs: z.number().min(0).max(5_000).default(0),
  /** Longitude and latitude, degrees: with that of the other end they decide the round trip; null: anywhere. */
  place: z.tuple([z.number(), z.number()]).nullable().default(null),
  /** A setting is removed on the device, and the device does not restore it. */
  drifts: z.boolean().default(false),
  /** The device is switched off permanently, a while after its first state was confirmed. */
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
