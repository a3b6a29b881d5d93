import { z } from "zod";
import type { Access } from "#contract/access.ts";
import type { Permission } from "#contract/permissions.ts";
import * as codec from "#kernel/codec.ts";
import { checkWire } from "#kernel/rule.ts";
import type { Warning } from "#kernel/warning.ts";

/**
 * One call of the wire as a value: server and console both work from it. `input` decodes what the
 * caller sends (query of a GET, form-data or JSON of a POST), `output` encodes `data` of the answer.
 */
export interface Endpoint<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  Paged extends boolean = boolean,
> {
  /** Id of the entry in spec/endpoints.json, where there is one. */
  readonly id: string;
  /** Why there is a call that the specification does not have; absent: it is one of its calls. */
  readonly addition?: string | undefined;
  readonly method: "GET" | "POST";
  readonly path: `/${string}`;
  readonly input: Input;
  readonly output: Output;
  /** A permission code, screens, or why every session may; null: a call without a session. */
  readonly may: Access | null;
  /** Another permission in place of `may` for a call that fills this field (a POP, not a CPE). */
  readonly mayInstead?: MayInstead | undefined;
  /** "none": callable without a session (login and what precedes it). */
  readonly auth: "session" | "none";
  /** True: the handler gives `{rows, count}` and the answer carries `count`. */
  readonly paged: Paged;
  /** The log tree answers 200, every other call 0 (section 7). */
  readonly successCode: 0 | 200;
  /** True for a GET that acts (reboot, issue): refused when it comes from another site. */
  readonly acts: boolean;
  /** True: the answer of a reading call opens something, such as a ticket; it is never compressed (docs/security.md). */
  readonly secret?: boolean | undefined;
  /** Each call needs the caller's own password in the field `oldPsw` (ways-in.ts). */
  readonly ownPassword?: true | undefined;
  /** Its answer is made with the metrics store, which may take its time (`readsMetrics`). */
  readonly readsMetrics?: true | undefined;
}

/** An endpoint whose handler gets the metrics store: no other does (controller: kernel/metrics-access.ts). */
export interface ReadsMetrics {
  readonly readsMetrics: true;
}

/** Declares that calls of an endpoint ask the metrics store. */
export const readsMetrics = <E extends Endpoint>(declared: E): E & ReadsMetrics => ({
  ...declared,
  readsMetrics: true,
});

export interface MayInstead {
  readonly field: string;
  readonly may: Permission;
}

/**
 * What a call with these fields asks of its caller. The field of `mayInstead` counts as the call reads it: an id is also left out
 * by 0 or null, and what is left out must not decide which permission is enough.
 */
export const accessFor = (
  { may, mayInstead, input }: Pick<Endpoint, "may" | "mayInstead" | "input">,
  wire: Readonly<Record<string, unknown>>,
): Access | null => {
  if (!mayInstead || !(input instanceof z.ZodObject)) return may;
  const read = checkWire(input.shape[mayInstead.field] as z.ZodType, wire[mayInstead.field]);
  // What cannot be read is refused afterwards, whoever sent it.
  return read.ok && read.value === null ? may : mayInstead.may;
};

/** Who may make a call: said of each that needs a session. */
type Admission =
  | { readonly auth?: "session"; readonly may: Access }
  | { readonly auth: "none"; readonly may: null };

interface EndpointFields<Input extends z.ZodType, Output extends z.ZodType> {
  readonly id: string;
  readonly addition?: string | undefined;
  readonly method: "GET" | "POST";
  readonly path: `/${string}`;
  readonly input: Input;
  readonly output: Output;
  readonly mayInstead?: MayInstead | undefined;
  readonly successCode?: 0 | 200;
  readonly acts?: boolean;
  readonly secret?: boolean | undefined;
  readonly ownPassword?: true | undefined;
}

type EndpointSpec<I extends z.ZodType, O extends z.ZodType> = EndpointFields<I, O> & Admission;

const complete = <I extends z.ZodType, O extends z.ZodType, P extends boolean>(
  spec: EndpointSpec<I, O>,
  paged: P,
): Endpoint<I, O, P> => ({
  auth: "session",
  successCode: 0,
  ...spec,
  acts: spec.acts ?? spec.method === "POST",
  paged,
});

/** A call whose answer is one value. */
export const endpoint = <I extends z.ZodType, O extends z.ZodType>(
  spec: EndpointSpec<I, O>,
): Endpoint<I, O, false> => complete(spec, false);

/** A call whose answer is one page of rows with the count of all that match. */
export const pagedEndpoint = <I extends z.ZodType, Row extends z.ZodType>(
  spec: EndpointSpec<I, Row>,
): Endpoint<I, z.ZodArray<Row>, true> => complete({ ...spec, output: z.array(spec.output) }, true);

/** Page number from 1 and rows per page; 10 by default (section 9: options 10 to 40, or typed). */
export const pageFields = {
  page: codec.int(1, 1_000_000).default(1),
  limit: codec.int(1, 1_000).default(10),
};

/** What the caller passes to an endpoint, in memory form. */
export type InputOf<E extends Endpoint> = z.output<E["input"]>;
/** What the caller gets back, in memory form. */
export type OutputOf<E extends Endpoint> = z.output<E["output"]>;
/** What a handler returns. */
export type ResultOf<E extends Endpoint> =
  E extends Endpoint<z.ZodType, infer O, true> ? { rows: z.output<O>; count: number } : OutputOf<E>;

/** Answers without data. */
export const nothing = z.null();
/** Answer of an add: the new row's id. */
export const newId = z.object({ id: z.number() });

/** Body of every answer (section 7). */
export interface Envelope {
  readonly code: number;
  readonly msg: string;
  readonly data: unknown;
  readonly count?: number;
  /** Present when input broke rules: which field, which rule. */
  readonly issues?: readonly {
    path: string;
    rule: string;
    params: Record<string, string | number>;
  }[];
  /** Present on successes with a consequence that is easily overlooked (kernel/warning.ts). */
  readonly warnings?: readonly (Warning & { readonly text: string })[];
  /** Present on failures: names the line of the server's log. */
  readonly requestId?: string;
}
