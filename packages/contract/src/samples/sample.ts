import type { AnyResource, DraftOf } from "#kernel/resource.ts";
import type { RuleCode } from "#kernel/rule.ts";

/** Ids of rows that a sample refers to; code that runs the samples makes those rows first. */
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

/** What distinguishes one row of a sample from the next. */
export interface Mark {
  /** In what people call the row: letters of any script, digits, _ and -. */
  readonly name: string;
  /** The same for what takes Latin letters, digits and - only: keys, codes, serial numbers. */
  readonly latin: string;
  /** From 0; no two rows of a resource have the same. */
  readonly number: number;
}

/** First three bytes of an IPv4 /24 of this row alone, as long as there are at most 40,000. */
export const networkOf = ({ number }: Mark): string =>
  `10.${number % 200}.${Math.floor(number / 200)}`;

/** A login name takes letters, digits and @. */
export const loginNameOf = (latin: string): string => `${latin.replaceAll("-", "")}@`;

/** A draft that one rule refuses. */
export interface BrokenDraft {
  readonly field: string;
  readonly value: unknown;
  readonly rule: RuleCode;
  /** What else the rule needs to be broken; the draft that has only these beside what is in `valid` breaks none. */
  readonly beside?: Readonly<Record<string, unknown>>;
}

/** Drafts of a resource, in memory form; they lie beside its declaration. */
export interface Samples<R extends AnyResource> {
  valid(ids: SampleIds): DraftOf<R>;
  /** A second valid draft that differs: what an edit writes. */
  edited(ids: SampleIds): DraftOf<R>;
  /** Fields that let many rows of the valid draft exist side by side. */
  distinct(mark: Mark): Partial<DraftOf<R>>;
  /** One broken field each, with the rule that must refuse it at form and API alike. */
  readonly invalid: readonly BrokenDraft[];
}

/** Samples of all resources of a domain: one without does not compile. */
export type SamplesOf<Resources extends Readonly<Record<string, AnyResource>>> = {
  readonly [Name in keyof Resources]: Samples<Resources[Name]>;
};
