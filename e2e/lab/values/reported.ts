/** Whether a row of the campaign of values is reported: a finding is about this row, and about no other object of its value. */
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import { networkOf, parsePrefix } from "@weft/contract/rules/address.ts";
import type { Subject, Wire } from "./subjects.ts";

/** Findings about one node. */
export interface Findings {
  /** Of the device itself, and of the controller about the node in its spaces. */
  readonly device: readonly Pick<Finding, "kind" | "object" | "params" | "reason">[];
  readonly policies: readonly {
    readonly family: string;
    readonly objectId: number;
    readonly reason: string;
  }[];
}

export const noFindings: Findings = { device: [], policies: [] };

interface Row {
  /** Null: settings, which have none. */
  readonly id: number | null;
  readonly wire: Wire;
}

/** Kinds of a device's findings that are about objects of a family. Of a family that is missing a device reports none. */
const kindsOf: Readonly<Record<string, readonly string[]>> = {
  line: ["line", "link"],
  lansection: ["lan", "resolver"],
  staticroute: ["route", "announce"],
  routeNotice: ["announce"],
  segmentRoute: ["segment"],
  clientConfig: ["pool"],
  standby: ["standby"],
  cpe: ["timeZone"],
  routerInterface: ["card"],
  routerTimenode: ["timeZone"],
  routerPolicyroute: ["nextHop"],
  routerBgp: ["router"],
  routerOspf: ["router"],
};

/** Whether a finding of a device by its name could be about a row of either. */
export function sharesFindings(one: Pick<Subject, "family">, other: Pick<Subject, "family">) {
  const kinds = kindsOf[one.family] ?? [];
  return (kindsOf[other.family] ?? []).some((kind) => kinds.includes(kind));
}

/** Names by which a device reports a value: as it is, or as its network. */
const namesOf = (wire: Wire): ReadonlySet<string> =>
  new Set(
    Object.values(wire)
      .map(String)
      .filter((value) => value.length > 1)
      .flatMap((value) => (parsePrefix(value) ? [value, networkOf(value)] : [value])),
  );

/** The reason of the finding that is about the row; null: none is. */
export function reasonFor(
  { family: own }: Pick<Subject, "family">,
  row: Row,
  { device, policies }: Findings,
): string | null {
  const policy = policies.find(({ family, objectId }) => family === own && objectId === row.id);
  if (policy) return policy.reason;
  const kinds = kindsOf[own] ?? [];
  const names = namesOf(row.wire);
  const found = device.find(
    ({ kind, object, params }) =>
      kinds.includes(kind) &&
      (params.id === String(row.id) ||
        names.has(object) ||
        names.has(object.split(".")[0] as string) ||
        Object.values(params).some((value) => names.has(value))),
  );
  return found?.reason ?? null;
}
