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
  "underlay.cards": { follows: "a device comes with its cards, and none is added" },
  "static.routes": { rows: "staticRoutes" },
  "firewall.wan": { follows: "a WAN link has one of four slots" },
  "firewall.lan": { rows: "lanSegments" },
  "firewall.lan[].networks": { follows: "compile leaves out what is beyond, which denies it" },
  "firewall.tunnelPorts": { follows: "ports are unique on a device" },
  "firewall.acl": { rows: "aclRules" },
  "tunnel.links": { follows: "a device has 13,716 ports for links, spread over the buckets" },
  "routing.announce": { rows: "announced" },
  "routing.ranks": { follows: "those of them that a place is given for" },
  "routing.neighbors": { follows: "a device has 13,716 ports for links" },
  "routing.neighbors[].accept": { rows: "announced" },
  "client.peers": { rows: "clientPeers" },
  "space.networks": { rows: "spaceNetworks" },
  "policy.sets": { follows: "compile leaves out objects that are beyond, and says so of each" },
  "policy.sets[].members": { follows: "compile leaves out objects that are beyond" },
  "policy.portMaps": { follows: "compile leaves out objects that are beyond, and says so of each" },
  "policy.routes": { follows: "compile leaves out objects that are beyond, and says so of each" },
  "policy.routes[].slots": { follows: "a WAN link has one of four slots" },
  "policy.tunnels": { follows: "compile leaves out objects that are beyond, and says so of each" },
  "policy.bandwidths": {
    follows: "compile leaves out objects that are beyond, and says so of each",
  },
  "policy.applications": { follows: "compile leaves out objects that are beyond" },
  "policy.applications[].services": { follows: "compile leaves out objects that are beyond" },
  "policy.times": { follows: "compile leaves out objects that are beyond, and says so of each" },
  "policy.times[].weekdays": { follows: "a week has seven days" },
  "shaping.lines": { follows: "a WAN link has one of four slots" },
  "shaping.circuits": {
    follows: "compile leaves out circuits that are beyond, and says so of each",
  },
  "shaping.circuits[].links": { follows: "they are some of the device's" },
  "shaping.circuits[].networks": { follows: "they are some of the space's" },
  "site.neighbors": { follows: "compile leaves out objects that are beyond, and says so of each" },
  "site.interfaces": { follows: "compile leaves out objects that are beyond, and says so of each" },
  "site.sent": { follows: "there are four of them" },
  "site.neighbors[].networks": { follows: "the field of the object has no room for more" },
  "standby.lans": { rows: "lanInterfaces" },
  "standby.lans[].gateways": { rows: "lanAddresses" },
  "dns.answers": { follows: "compile leaves out entries that are beyond, and says so of the node" },
  "dns.servers": { follows: "compile leaves out entries that are beyond, and says so of the node" },
  "dns.denied": { follows: "compile leaves out entries that are beyond, and says so of each" },
  "dns.reservations": {
    follows: "compile leaves out reservations that are beyond, and says so of each",
  },
  "dns.controls": { follows: "compile leaves out objects that are beyond, and says so of each" },
  "dns.controls[].names": { follows: "compile leaves out objects that are beyond" },
  "dns.controls[].servers": { follows: "the object has two fields for them" },
  "dns.controls[].weekdays": { follows: "a week has seven days" },
  "dns.ranges": { follows: "a LAN section has one" },
  "groups.groups": { follows: "compile leaves out groups that are beyond, and says so of each" },
  "groups.groups[].networks": { follows: "they are some of the space's" },
  "paths.spaces": { follows: "compile leaves out spaces that are beyond: they have one class" },
  "paths.spaces[].classes": { follows: "there are three of them" },
  "paths.spaces[].classes[].dscp": { follows: "there are 64 code points" },
  "segment.routes": { follows: "compile leaves out those that are beyond, and the list says so" },
  "segment.routes[].sources": { follows: "compile leaves out routes of a CPE with more" },
  "segment.routes[].kept": { follows: "compile leaves out routes with more at that device" },
  "segment.routes[].own.links": { follows: "two nodes with four WAN links each have 16 at most" },
  "segment.routes[].own.reach": { follows: "compile takes the first of them" },
  "policy.limits": { follows: "compile leaves out objects that are beyond, and says so of each" },
};
