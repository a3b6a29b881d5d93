/** Which entries of the operation log have an inverse that one call writes (docs/adr/0031-template-versions.md). */
import { allResources, type ResourceName } from "#contract/all-endpoints.ts";
import { policyFamilies } from "#domains/policies/policy-families.ts";
import type { AnyResource } from "#kernel/resource.ts";
import { type UndoableWrite, undoableWrites } from "./enums.ts";

const plain: readonly UndoableWrite[] = undoableWrites;
/** Rows that other rows go with: what went with a removed one would stay away. */
const withParts: readonly UndoableWrite[] = ["edit", "add"];
const edits: readonly UndoableWrite[] = ["edit"];

/**
 * A resource that is not here has none: what is more than its row (keys, balances, devices, files) would not come back. So
 * has a new one until it is decided.
 */
const ofResources: Readonly<Partial<Record<ResourceName, readonly UndoableWrite[]>>> = {
  pop: edits,
  cpe: edits,
  line: plain,
  lansection: plain,
  staticroute: plain,
  dnsmasq: plain,
  dhcpReservation: plain,
  dialTask: plain,
  branch: plain,
  configItem: plain,
  alarmRule: plain,
  messageReceive: plain,
  cug: plain,
  segmentRoute: plain,
  routeNotice: plain,
  vbrTable: plain,
  popStrategy: withParts,
  popGroup: plain,
  "saasGroup.domain": plain,
  "saasGroup.dpi": plain,
  "saasGroup.ip": plain,
  "saasGroup.app": plain,
  xwanSpeed: withParts,
  xwanSpeedDefine: plain,
  ipgroup: plain,
  urlgroup: plain,
  xaclrules: plain,
  blacklist: plain,
};

/** Families whose rows hold rows of another one. */
const parents = new Set(
  policyFamilies.flatMap(({ spec: { merge, references } }) =>
    merge.by === "parent" ? [references?.[merge.field] ?? ""] : [],
  ),
);

interface Undoable {
  readonly resource: AnyResource;
  readonly writes: readonly UndoableWrite[];
}

const ofFamilies = policyFamilies.flatMap(({ name, spec, template, manage }) => {
  // A secret is not in the log: the row would come back without it.
  const comesBack = !parents.has(name) && (spec.secret ?? []).length === 0;
  const writes = comesBack ? plain : withParts;
  return [template.resource, manage.resource].map((resource): [string, Undoable] => [
    resource.name,
    { resource, writes: writes.filter((write) => resource.verbs.includes(write)) },
  ]);
});

const byModule: ReadonlyMap<string, Undoable> = new Map<string, Undoable>([
  ...Object.entries(allResources).map(([name, resource]): [string, Undoable] => [
    name,
    { resource, writes: ofResources[name as ResourceName] ?? [] },
  ]),
  ...ofFamilies,
]);

/** Modules of the log with an inverse for some of their writes. */
export const undoableModules: readonly string[] = [...byModule]
  .filter(([, { writes }]) => writes.length > 0)
  .map(([module]) => module);

/** The resource of a module, where an entry that wrote this has an inverse; null: it has none. */
export const undoableBy = (module: string, write: UndoableWrite): AnyResource | null => {
  const undoable = byModule.get(module);
  return undoable?.writes.includes(write) ? undoable.resource : null;
};

/** The verb by which a write is undone. */
export const inverseOf = { edit: "edit", add: "remove", remove: "add" } as const satisfies Readonly<
  Record<UndoableWrite, UndoableWrite>
>;
