/**
 * The desired state of one node: a head over content-addressed sections (design section 3.3).
 * A section belongs to one space where there is one. Addresses are family-neutral
 * text; rates are bit/s, times ms, sizes bytes unless the field says otherwise.
 */
import { z } from "zod";
import { joinLans, splitLans } from "#contract/device/v1/earlier-lans.ts";
import {
  type ContentOf,
  declarationOf,
  type SectionFormat,
  type SectionKind,
  type Sections,
  sectionKind,
  sectionKinds,
  wholeFormat,
} from "#contract/device/v1/sections.ts";
import { sha256Hex } from "#contract/device/v1/text.ts";

/** Names of later versions too: a state with one is refused with a reason (`fromSections`), the message is read. */
const anySectionName = /^[a-z][A-Za-z]{0,31}(\.\d{1,16}){0,2}$/;

export const stateId = z.strictObject({
  /** Grows with each restored controller; compared before serial. */
  epoch: z.int().positive(),
  serial: z.int().positive(),
  /** Of the same state with later lists of networks (docs/adr/0047-state-revisions.md); absent: as it was published. */
  revision: z.int().positive().optional(),
});
export type StateId = z.output<typeof stateId>;

/** -1, 0 or 1: order of states (design section 3.3), and of revisions of one. */
export const compareStates = (a: StateId, b: StateId): number =>
  Math.sign(a.epoch - b.epoch || a.serial - b.serial || (a.revision ?? 0) - (b.revision ?? 0));

/** What names a state, of something that has more; without a field where it has no revision. */
export const stateIdOf = ({ epoch, serial, revision }: StateId): StateId =>
  revision === undefined ? { epoch, serial } : { epoch, serial, revision };

export const stateHead = stateId.extend({
  sections: z.record(z.string().regex(anySectionName), sha256Hex),
});
export type StateHead = z.output<typeof stateHead>;

/** A state by what differs from the one that was published: sections by name, all lists of networks among them. */
export const stateRevision = stateHead.required({ revision: true });
export type StateRevision = z.output<typeof stateRevision>;

/** The head of a revision: that of its state with these sections. */
export const revisedHead = (
  { sections }: Pick<StateHead, "sections">,
  revision: StateRevision,
): StateHead => ({ ...stateIdOf(revision), sections: { ...sections, ...revision.sections } });

/** An edge with this capability takes revisions of the state that it runs. */
export const revisionsCapability = "state.revisions";

type KindsThat<Trait> = {
  [Kind in SectionKind]: Sections[Kind] extends Trait ? Kind : never;
}[SectionKind];
type PerSpace = { readonly occurs: "perSpace"; readonly list: string };
type OptionalPerSpace = KindsThat<PerSpace & { readonly isOptional: true }>;

type Once = { readonly [Kind in KindsThat<{ occurs: "once" }>]: ContentOf<Kind> };
type AtMostOnce = { readonly [Kind in KindsThat<{ occurs: "optional" }>]?: ContentOf<Kind> };
type Lists = {
  readonly [Kind in Exclude<
    KindsThat<PerSpace>,
    OptionalPerSpace
  > as Sections[Kind]["list"]]: readonly ContentOf<Kind>[];
};
type OptionalLists = {
  readonly [Kind in OptionalPerSpace as Sections[Kind]["list"]]?: readonly ContentOf<Kind>[];
};

/** The whole document: sections that a state has once by their kinds, those of its spaces in lists. */
export interface DesiredState extends Once, AtMostOnce, Lists, OptionalLists {}

/** What a state has of each kind; null: nothing is set. */
export type Compiled = {
  readonly [Kind in SectionKind]: Sections[Kind] extends PerSpace
    ? readonly ContentOf<Kind>[]
    : Sections[Kind] extends { occurs: "optional" }
      ? ContentOf<Kind> | null
      : ContentOf<Kind>;
};

/** The state whose sections are given kind by kind. */
export const stateOf = (contentOf: (kind: SectionKind) => Compiled[SectionKind]): DesiredState => {
  const state: Record<string, unknown> = {};
  for (const kind of sectionKinds) {
    const { list = kind, isOptional = false } = declarationOf(kind);
    const content = contentOf(kind);
    const isAbsent = content === null || (isOptional && (content as unknown[]).length === 0);
    if (!isAbsent) state[list] = content;
  }
  return state as unknown as DesiredState;
};

const contentsIn = (state: DesiredState, kind: SectionKind): unknown[] => {
  const { occurs, list = "" } = declarationOf(kind);
  const values = state as unknown as Readonly<Record<string, unknown>>;
  if (occurs === "perSpace") return (values[list] ?? []) as unknown[];
  return values[kind] === undefined ? [] : [values[kind]];
};

export const toSections = (
  state: DesiredState,
  format: SectionFormat = wholeFormat,
): Map<string, unknown> => {
  const sections = new Map<string, unknown>();
  for (const kind of sectionKinds) {
    const { occurs, divide } = declarationOf(kind);
    for (const content of contentsIn(state, kind)) {
      const whole =
        occurs === "perSpace" ? `${kind}.${(content as { spaceId: number }).spaceId}` : kind;
      if (!divide) sections.set(whole, content);
      else
        for (const [part, some] of divide(content, format.has(kind)))
          sections.set(part === "" ? whole : `${whole}.${part}`, some);
    }
  }
  return format.has("underlay") ? sections : splitLans(sections);
};

/** Name of the whole section that one belongs to, and the number of the part that it is; "": it is the whole. */
const placeOf = (name: string): { kind: SectionKind; whole: string; part: string } => {
  const kind = sectionKind(name);
  if (kind === null) throw new Error(`unknown section ${name}`);
  const [first = "", ...numbers] = name.split(".");
  const space = declarationOf(kind).occurs === "perSpace" ? numbers.shift() : undefined;
  return {
    kind,
    whole: space === undefined ? first : `${first}.${space}`,
    part: numbers[0] ?? "",
  };
};

/**
 * The state that sections make, also those of earlier versions. Throws a zod error when a content breaks its schema, an Error when
 * a section is missing or has an unknown name: nothing of such a document is applied.
 */
export const fromSections = (sections: ReadonlyMap<string, unknown>): DesiredState => {
  const parts = new Map<SectionKind, Map<string, Map<string, unknown>>>();
  for (const [name, content] of [...joinLans(sections)].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { kind, whole, part } = placeOf(name);
    const ofKind = parts.get(kind) ?? new Map<string, Map<string, unknown>>();
    parts.set(kind, ofKind);
    ofKind.set(whole, (ofKind.get(whole) ?? new Map<string, unknown>()).set(part, content));
  }
  return stateOf((kind) => {
    const { schema, occurs, join } = declarationOf(kind);
    const contents = [...(parts.get(kind) ?? [])].map(([name, some]) =>
      join ? join(some, name) : schema.parse(some.get("")),
    );
    if (occurs === "once" && contents.length === 0) throw new Error(`section ${kind} is missing`);
    return (occurs === "perSpace" ? contents : (contents[0] ?? null)) as Compiled[SectionKind];
  });
};

/** Schemas as generated code: controllers check every state that they make, where pages and devices read few. */
const compiledSchemas = new WeakMap<z.ZodType, z.ZodType>();

function compiledOf(schema: z.ZodType): z.ZodType {
  const compiled = compiledSchemas.get(schema) ?? z.compile(schema);
  compiledSchemas.set(schema, compiled);
  return compiled;
}

/** Throws a zod error when one of the sections breaks its schema, an Error when one has an unknown name. */
export const checkSections = (sections: ReadonlyMap<string, unknown>): void => {
  for (const [name, content] of sections) {
    const { kind, part } = placeOf(name);
    const declaration = declarationOf(kind);
    const schema = part === "" ? declaration.schema : (declaration.part ?? declaration.schema);
    compiledOf(schema).parse(content);
  }
};
