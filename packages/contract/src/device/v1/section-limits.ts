/**
 * What keeps each list of a desired state within its schema. A state that breaks its schema is never
 * delivered, and on a POP that stops every tenant: a new list does not compile until someone decided
 * where one entry too many is refused.
 */
import type { z } from "zod";
import type { StateLimit } from "#contract/device/v1/limits.ts";
import type { SectionKind, sectionSchemas } from "#contract/device/v1/state.ts";

type ListsIn<Value, Path extends string> = Value extends readonly (infer Item)[]
  ? Path | ListsIn<NonNullable<Item>, `${Path}[]`>
  : Value extends object
    ? {
        [Key in keyof Value & string]-?: ListsIn<NonNullable<Value[Key]>, `${Path}.${Key}`>;
      }[keyof Value & string]
    : never;

/** For example `underlay.lans[].addresses`. */
export type SectionList = {
  [Kind in SectionKind]: ListsIn<z.output<(typeof sectionSchemas)[Kind]>, Kind>;
}[SectionKind];

/**
 * `rows`: the write of the row that would be one too many is refused. `follows`: nothing that can be
 * written leads beyond the schema, for this reason.
 */
export type ListDecision = { readonly rows: StateLimit } | { readonly follows: string };

export const sectionLimits: Readonly<Record<SectionList, ListDecision>> = {
  "underlay.lines": { follows: "a WAN link has one of four slots" },
  "underlay.lans": { rows: "lanInterfaces" },
  "underlay.lans[].addresses": { rows: "lanAddresses" },
  "static.routes": { rows: "staticRoutes" },
  "firewall.wan": { follows: "a WAN link has one of four slots" },
  "firewall.lan": { rows: "lanSegments" },
  "firewall.lan[].networks": { follows: "compile leaves out what is beyond, which denies it" },
  "firewall.tunnelPorts": { follows: "ports are unique on a device" },
  "firewall.acl": { rows: "aclRules" },
  "tunnel.links": { follows: "a device has 13,716 ports for links, spread over the buckets" },
  "routing.announce": { rows: "announced" },
  "routing.neighbors": { follows: "a device has 13,716 ports for links" },
  "routing.neighbors[].accept": { rows: "announced" },
  "client.peers": { rows: "clientPeers" },
  "space.networks": { rows: "spaceNetworks" },
  "policy.sets": { follows: "compile leaves out objects that are beyond, and says so of each" },
  "policy.sets[].members": { follows: "compile leaves out objects that are beyond" },
  "policy.portMaps": { follows: "compile leaves out objects that are beyond, and says so of each" },
  "policy.limits": { follows: "compile leaves out objects that are beyond, and says so of each" },
};
