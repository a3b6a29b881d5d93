import { lineQualities } from "@weft/contract/domains/devices/enums.ts";
import * as codes from "@weft/contract/domains/policies/enums.ts";
import { nodeProtocolTree, protocolTree } from "@weft/contract/domains/policies/policy.ts";
import { policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import { weekdayCodes } from "@weft/contract/domains/policies/policy-fields.ts";
import type { Endpoint } from "@weft/contract/kernel/endpoint.ts";
import type { PolicyFamily, PolicyScope } from "@weft/contract/kernel/policy-family.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { z } from "zod";
import type { Translate } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import type { Option } from "#kernel/form/field-props.ts";
import { kindOf, shapeOf } from "#kernel/form/field-schema.ts";

/** Whose rows: `{templateId}`, `{cpeId, popId: null}` or `{cpeId: null, popId}`. */
export type PolicyOwner = Readonly<Record<string, number | null>>;

export const scopeOfOwner = (owner: PolicyOwner): PolicyScope =>
  "templateId" in owner ? "template" : "manage";

type List = readonly [name: string, values: readonly (number | string)[]];

/** Fields with one value out of a list of codes. */
const oneOf: Readonly<Record<string, List>> = {
  accessType: ["accessType", codes.accessTypes],
  lineQuality: ["lineQuality", lineQualities],
  action: ["urlAction", codes.urlActions],
  direction: ["pipeDirection", codes.pipeDirections],
  dnsroute: ["dnsSwitch", codes.dnsSwitches],
  returnTrip: ["dnsSwitch", codes.dnsSwitches],
};

/** Fields with several values: a list, or the bits of a mask. */
const someOf: Readonly<Record<string, List>> = {
  weekdays: ["weekday", weekdayCodes],
  effectivedate: ["weekday", weekdayCodes],
  lineGroup: ["lineGroup", codes.lineGroupBits],
  natType: ["natType", codes.natTypeBits],
  flags: ["ospfFlags", codes.ospfFlagBits],
};
const masks = new Set(["lineGroup", "natType", "flags"]);

export const isMask = (field: string): boolean => masks.has(field);

export const bitsIn = (mask: number): number[] => [1, 2, 4, 8].filter((bit) => (mask & bit) !== 0);

/** What a field is selected from; null: it is typed. */
export interface FieldChoice {
  readonly options: readonly Option[];
  readonly isMany: boolean;
}

const optionsOf = (t: Translate, [name, values]: List): Option[] =>
  values.map((value) => ({ value, label: t.code(name, value) }));

const protocolList = (family: PolicyFamily): List => [
  "transport",
  family.name === "routerPortmapping" ? codes.mappedProtocols : codes.transports,
];

interface Named {
  readonly id: number;
  readonly name: string;
}

/** The call that lists a family's rows as choices. */
const choicesOf = (family: PolicyFamily, scope: PolicyScope): Endpoint => {
  const resource = family[scope].resource as AnyResource;
  return (resource.verbs.includes("combo") ? resource.ops.combo : resource.ops.list) as Endpoint;
};

const useNamed = (family: string | undefined, owner: PolicyOwner): readonly Named[] | null => {
  const scope = scopeOfOwner(owner);
  const call = choicesOf(policyFamily(family ?? "routerTimenode"), scope);
  const isList = call.paged;
  const input = {
    ...owner,
    ...(isList && { page: 1, limit: 1000, orderByColumn: null, isAsc: null }),
  };
  const { data } = useCall(call, family === undefined ? null : input);
  return (data as readonly Named[] | null | undefined) ?? null;
};

/** Selected from the catalogue of application protocols. */
const trees = new Set(["l7ids", "l7pro", "nPid"]);

/** A number that counts or measures, and is no code or id. */
export const isMetric = ({ spec }: PolicyFamily, field: string): boolean => {
  const isChosen = [oneOf, someOf, spec.references ?? {}].some((choices) => field in choices);
  const schema = { ...shapeOf(spec.facts), ...shapeOf(spec.fields) }[field];
  if (!schema || isChosen || trees.has(field)) return false;
  return kindOf(field, schema) === "number" || schema instanceof z.ZodNumber;
};

/** Whether a field names other rows or entries of a catalogue, which calls list. */
export const isNaming = ({ spec }: PolicyFamily, field: string): boolean =>
  field in (spec.references ?? {}) || trees.has(field);

/** Choices of a field that does not, out of lists of codes; null: it is typed. */
export const codeChoice = (
  family: PolicyFamily,
  field: string,
  t: Translate,
): FieldChoice | null => {
  const list = field === "protocol" ? protocolList(family) : oneOf[field];
  if (list) return { options: optionsOf(t, list), isMany: false };
  const some = someOf[field];
  return some ? { options: optionsOf(t, some), isMany: true } : null;
};

/** Choices of one field of a family. */
export const useFieldChoice = (
  family: PolicyFamily,
  field: string,
  owner: PolicyOwner,
  t: Translate,
): FieldChoice | null => {
  const target = family.spec.references?.[field];
  const named = useNamed(target, owner);
  const isTree = trees.has(field);
  const tree = scopeOfOwner(owner) === "template" ? protocolTree : nodeProtocolTree;
  const protocols = useCall(tree as Endpoint, isTree ? owner : null).data as
    | readonly Named[]
    | null;
  const rows = target === undefined ? (isTree ? protocols : null) : named;
  if (target !== undefined || isTree) {
    // Only entries of the catalogue may be named by a custom policy.
    const known = (rows ?? []).filter(
      ({ id }) => field === "l7ids" || !isTree || (id < 99_999 && id !== 99),
    );
    return {
      options: known.map(({ id, name }) => ({ value: id, label: name })),
      isMany: field === "l7ids" || field === "l7pro",
    };
  }
  return codeChoice(family, field, t);
};
