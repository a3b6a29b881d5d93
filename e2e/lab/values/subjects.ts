/** What the campaign of values writes: every resource of a site with its fields, read off the contract's schemas. */
import { allResources, domainOf, type ResourceName } from "@weft/contract/all-endpoints.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { cpeCfgAdd, popCfgEdit } from "@weft/contract/domains/devices/cpe-config.ts";
import { cpeEditStandby } from "@weft/contract/domains/devices/cpe-standby.ts";
import { policyFamilies } from "@weft/contract/domains/policies/policy-families.ts";
import { type PolicyRefs, policySamples } from "@weft/contract/domains/policies/policy-samples.ts";
import type { Endpoint } from "@weft/contract/kernel/endpoint.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import type { Mark } from "@weft/contract/samples/sample.ts";
import { kindOf, type ValueKind } from "./nasty-values.ts";

/** The schema of what a form holds. */
export type DraftSchema = AnyResource["draft"];
export type Wire = Readonly<Record<string, unknown>>;

export interface FieldOfSubject {
  readonly name: string;
  readonly kind: ValueKind;
}

/** Something that is written: rows that are added and removed, or settings that are replaced. */
export interface Subject {
  readonly name: string;
  readonly schema: DraftSchema;
  readonly fields: readonly FieldOfSubject[];
  /** Fields that are none of the kinds: switches, choices, ids of other rows. */
  readonly others: readonly string[];
  /** Path of the call that writes. */
  readonly path: string;
  /** Path of the call that removes rows; null: settings, which are written again as they were. */
  readonly removePath: string | null;
  /** What a removal names beside the ids. */
  readonly inside: Wire;
  /** Family of its objects in findings. */
  readonly family: string;
  /** Whether its rows keep packets from passing, so that a deny after them shows nothing new. */
  readonly denies: boolean;
  /** A valid draft on the wire that differs from those of other numbers. */
  draft(number: number): Wire;
}

/** Ids of the lab's rows that drafts refer to. */
export interface Places {
  readonly groupid: number;
  readonly cpeId: number;
  readonly popId: number;
  /** The site that hosts of the first one reach. */
  readonly otherCpeId: number;
  /** A site that is in no space. */
  readonly spareCpeId: number;
}

const markOf = (number: number): Mark => ({
  name: `v-${number}`,
  latin: `v-${number}`,
  number: 20 + number,
});

/** Fields that say whose row it is, or which row: another value would be a row of somebody else. */
const ownerFields = ["nCpeID", "cpeId", "popId", "nodeId", "groupid", "templateId", "id"];

function fieldsOf(schema: DraftSchema, sample: Wire) {
  const fields: FieldOfSubject[] = [];
  const others: string[] = [];
  for (const [name, field] of Object.entries(schema.shape)) {
    if (ownerFields.includes(name) || name === "rowVersion") continue;
    const kind = kindOf(field as Endpoint["input"], sample[name]);
    if (kind === null) others.push(name);
    else fields.push({ name, kind });
  }
  return { fields, others };
}

const encoded = (schema: DraftSchema, memory: object): Wire =>
  ({ ...schema.encode(memory as never) }) as Wire;

/** Domains whose resources concern what devices do, and the resources in them whose rows are devices or commands. */
const domains = ["devices", "overlay", "policies", "mobile"];
const ownLives: readonly string[] = ["pop", "cpe", "dialTask", "firmwareTask"];

/** Further fields by which several rows may be at one device, where samples are for one at each. */
const besides: Partial<
  Record<ResourceName, (number: number, ids: Record<string, number>) => object>
> = {
  netSpace: (_, { spareCpeId }) => ({ cpeIds: [spareCpeId] }),
  // A group of one site alone would separate it from the other one.
  cug: (_, { cpeId, otherCpeId }) => ({ cpeIds: [cpeId, otherCpeId] }),
  // In the LAN section that the campaign makes first.
  dhcpReservation: (number) => ({ address: `10.77.1.${20 + (number % 200)}` }),
  line: (number) => {
    const slot = 3 + (number % 2);
    return { slot, interfaceName: `wan${slot}`, ip: `198.51.100.${77 + slot}/24` };
  },
};

function ofResource(name: ResourceName, ids: Record<string, number>): Subject {
  const resource = allResources[name] as AnyResource;
  const schema = resource.draft as DraftSchema;
  const sample = samples[name];
  const draft = (number: number) =>
    encoded(schema, {
      ...(sample.valid(ids as never) as object),
      ...(sample.distinct(markOf(number)) as object),
      ...besides[name]?.(number, ids),
    });
  return {
    name,
    schema,
    ...fieldsOf(schema, {
      ...encoded(schema, sample.edited(ids as never) as object),
      ...filled(draft(0)),
    }),
    path: resource.ops.add.path,
    removePath: resource.ops.remove.path,
    inside: {},
    family: name,
    denies: name === "xaclrules" || name === "blacklist",
    draft,
  };
}

/** Without what a draft leaves empty. */
const filled = (wire: Wire): Wire =>
  Object.fromEntries(Object.entries(wire).filter(([, value]) => value !== "" && value !== null));

/**
 * Resources with calls to add and remove.
 * @param idOf ids of rows made before, of other resources, as the samples name them
 */
export function rowSubjects(places: Places, idOf: Record<string, number>): Subject[] {
  return (Object.keys(allResources) as ResourceName[])
    .filter((name) => {
      const { path, verbs } = allResources[name] as AnyResource;
      const domain = domainOf(`${path}/add`);
      const isRow = verbs.includes("add") && verbs.includes("remove");
      return isRow && domains.includes(domain) && !ownLives.includes(name);
    })
    .map((name) => ofResource(name, { ...places, ...idOf }));
}

/** Families of policy objects of the CPE itself, those that others refer to first. */
export const policySubjects = ({ cpeId }: Places, refs: PolicyRefs): Subject[] =>
  policyFamilies
    .filter(({ manage }) => manage.resource.verbs.includes("add"))
    .map((family): Subject => {
      const { resource } = family.manage;
      const schema = (resource as AnyResource).draft as DraftSchema;
      const sample = policySamples[family.name];
      if (!sample) throw new Error(`${family.name} has no sample`);
      const draft = (number: number) => {
        const memory = { popId: null, ...sample.valid(refs, `v-${number}`), cpeId };
        return encoded(schema, memory);
      };
      return {
        name: resource.name,
        schema,
        ...fieldsOf(schema, { ...sample.edited, ...filled(draft(0)) }),
        path: (resource as AnyResource).ops.add.path,
        removePath: (resource as AnyResource).ops.remove.path,
        inside: { cpeId },
        family: family.name,
        denies: family.spec.denies !== undefined,
        draft,
      };
    });

/** Settings of a device that a call of their own replaces. `current`: as they are, on the wire. */
export const settingSubjects = (
  current: Readonly<Record<"cpe" | "cpeCfg" | "popCfg" | "standby", Wire>>,
): Subject[] => {
  const calls = {
    cpe: cpe.ops.edit,
    cpeCfg: cpeCfgAdd,
    popCfg: popCfgEdit,
    standby: cpeEditStandby,
  } as const;
  return (Object.keys(calls) as (keyof typeof calls)[]).map((name) => {
    const { path, input } = calls[name];
    const schema = input as unknown as DraftSchema;
    return {
      name,
      schema,
      ...fieldsOf(schema, filled(current[name])),
      path,
      removePath: null,
      inside: {},
      family: name,
      denies: true,
      draft: () => current[name],
    };
  });
};
