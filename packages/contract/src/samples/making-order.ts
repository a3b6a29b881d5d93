/** Which rows a sample needs, read off the sample: code that makes many rows makes them in this order. */
import { allResources, type ResourceName } from "#contract/all-endpoints.ts";
import { samples } from "./drafts.ts";
import type { SampleIds } from "./sample.ts";

/** Which id of the samples names a row of a resource. */
const idOfKind: Readonly<Partial<Record<ResourceName, keyof SampleIds>>> = {
  enterprise: "groupid",
  cpe: "cpeId",
  pop: "popId",
  role: "roleId",
  popStrategy: "strategyId",
  xwanSpeed: "speedId",
  vbrNode: "vbrNodeId",
  alarmStrategy: "alarmStrategyId",
};

/** Ids for the samples out of made rows, resource -> id; 0 where there is none yet. */
export const sampleIds = (rows: Readonly<Record<string, number>>): SampleIds => ({
  groupid: 0,
  cpeId: 0,
  popId: 0,
  ...Object.fromEntries(Object.entries(idOfKind).map(([kind, id]) => [id, rows[kind] ?? 0])),
});

/** Ids of other rows that the valid draft of a resource has in it. */
function idsIn(name: ResourceName): ReadonlySet<string> {
  const read = new Set<string>();
  const ids = new Proxy({} as SampleIds, {
    get: (_, id) => {
      read.add(String(id));
      return 1;
    },
  });
  samples[name].valid(ids);
  return read;
}

/** Every resource but enterprises, which are there before; what a sample refers to comes before it. */
export const makingOrder: readonly ResourceName[] = (() => {
  const names = Object.keys(allResources) as ResourceName[];
  const left = new Set(names.filter((name) => name !== "enterprise"));
  const sorted: ResourceName[] = [];
  while (left.size > 0) {
    const waited = new Set<string>([...left].flatMap((sample) => idOfKind[sample] ?? []));
    const next = [...left].filter((sample) => ![...idsIn(sample)].some((id) => waited.has(id)));
    if (next.length === 0) throw new Error(`samples refer to each other: ${[...left].join(", ")}`);
    for (const sample of next) left.delete(sample);
    sorted.push(...next);
  }
  return sorted;
})();
