import type { z } from "zod";
import type { allResources, ResourceName } from "#contract/all-endpoints.ts";
import type { RuleCode } from "#kernel/rule.ts";

type Draft<Name extends ResourceName> = z.output<(typeof allResources)[Name]["draft"]>;

/** Ids of rows that a sample refers to; whoever runs the samples makes those rows first. */
export interface SampleIds {
  readonly groupid: number;
  readonly cpeId: number;
  readonly popId: number;
  /** A role of the enterprise; only who adds keys needs it. */
  readonly roleId?: number;
  /** A POP strategy of the enterprise; only its groups need it. */
  readonly strategyId?: number;
  /** An acceleration profile of the enterprise; only its definitions need it. */
  readonly speedId?: number;
  /** A cross-cloud node of the enterprise; only the rows of its table need it. */
  readonly vbrNodeId?: number;
  /** An alarm policy of the enterprise; only its rules need it. */
  readonly alarmStrategyId?: number;
}

export interface Samples<Name extends ResourceName> {
  valid(ids: SampleIds): Draft<Name>;
  /** A second valid draft that differs: what an edit writes. */
  edited(ids: SampleIds): Draft<Name>;
  /** One broken field each, with the rule that must refuse it at form and API alike. */
  readonly invalid: readonly { field: string; value: unknown; rule: RuleCode }[];
}

/** Samples of all resources of a domain: one without does not compile. */
export type SamplesOf<Resources> = {
  readonly [Name in Extract<keyof Resources, ResourceName>]: Samples<Name>;
};
