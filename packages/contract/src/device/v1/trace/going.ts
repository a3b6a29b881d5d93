/** What is known of a packet while it is traced, and steps of its trace. Pure. */
import type { DesiredState } from "#contract/device/v1/state.ts";
import { type LanSection, untagged } from "#contract/device/v1/underlay.ts";
import { isWithin } from "#rules/address.ts";
import type { Mapped } from "./match.ts";
import type { TracedPacket, TraceReason, TraceStage, TraceStep } from "./packet.ts";
import type { LineAddresses } from "./way.ts";

/** What is known while a packet goes on. */
export interface Going {
  readonly state: DesiredState;
  readonly reported: LineAddresses;
  /** ms since 1970, for time groups. */
  readonly now: number;
  /** As its host sent it. */
  readonly sent: TracedPacket;
  /** As it is now: a mapping changes its destination. */
  readonly packet: TracedPacket;
  readonly mapped: Mapped | null;
  /** A policy route changed its destination; absent: none did. */
  readonly isRedirected?: boolean;
}

type Params = TraceStep["params"];
export type Decided = Pick<TraceStep, "object">;

export const step = (
  verdict: TraceStep["verdict"],
  stage: TraceStage,
  reason: TraceReason,
  params: Params = {},
  decided: Decided = {},
): TraceStep => ({ stage, verdict, reason, params, ...decided });
export const pass = step.bind(null, "pass");
export const drop = step.bind(null, "drop");

export const objectOf = (object: { family: string; id: number } | undefined): Decided =>
  object ? { object: { family: object.family, id: object.id } } : {};

/** Sections that hosts of an address belong to; networks that are absent: all of the interface. */
export const sectionsOf = (
  { underlay }: DesiredState,
  interfaceName: string | null,
  address: string,
): LanSection[] =>
  untagged(underlay.lans).filter(
    (section) =>
      section.interfaceName === interfaceName &&
      (section.networks === undefined ||
        section.networks.some((network) => isWithin(network, address))),
  );
