/**
 * What history does with each field of each section of a desired state: the one table that
 * comparison, change guard and rollback read. A section or a field that the protocol gains does not
 * compile here until all three are decided (docs/adr/0008-history.md). Pure.
 */
import type { DesiredState, SectionKind, sectionSchemas } from "@weft/contract/device/v1/state.ts";
import type { z } from "zod";
import { linesOfBoth, wanOfBoth } from "./restored-lines.ts";

type Content<Kind extends SectionKind> = Required<z.output<(typeof sectionSchemas)[Kind]>>;
/** Sections that a state has once; the others occur once per space. */
type SingleKind = SectionKind & keyof DesiredState;

/** Kinds of objects whose loss the change guard weighs. */
export type CountedKind =
  | "line"
  | "lan"
  | "route"
  | "link"
  | "prefix"
  | "acl"
  | "account"
  | "policy"
  | "segment"
  | "setting";

/** Values of a list field of a member, each an object of its own to the guard. */
interface Values<Item> {
  readonly of: keyof Item & string;
  readonly as: CountedKind;
  /** Where the whole member goes, its values are not counted: they follow from another object. */
  readonly whileKept?: true;
}

/**
 * What the guard counts when it goes: an object of this kind, values of one of its fields, or
 * nothing, because it only follows from another object (a port from its link).
 */
type Removal<Item> = CountedKind | Values<Item> | "follows";

interface Listed<Item> {
  /** The name of a member: "line". */
  readonly kind: string;
  /** Fields that distinguish one from the others; none: lists of plain values are their own keys. */
  readonly key: readonly (keyof Item & string)[];
  /** The order of the members is part of what the list says. */
  readonly ordered?: true;
  /** Fields that change nothing of what a member does. */
  readonly unseen?: readonly (keyof Item & string)[];
}

/** Where the value comes from when a node rolls back: one of the two states, or both. */
type Restored<Kind extends SectionKind, Value> = Kind extends SingleKind
  ? "past" | "present" | ((past: DesiredState, present: DesiredState) => Value)
  : // What is agreed with the other ends, or stands for people on the road, stays as it is.
    "present";

interface FieldRule<Kind extends SectionKind, Value> {
  /** Members that are objects of their own; null: the value is a setting of its section. */
  readonly list: Value extends readonly (infer Item)[] ? Listed<Item> | null : null;
  readonly removal: Removal<Value extends readonly (infer Item)[] ? Item : Value>;
  readonly restored: Restored<Kind, Value>;
}

interface SectionRule<Kind extends SectionKind> {
  /** Its place in a difference, from 1. */
  readonly order: number;
  readonly fields: {
    readonly [Field in keyof Content<Kind>]: FieldRule<Kind, Content<Kind>[Field]>;
  };
}

const present = "present" as const;
/** A value that a section always has: it changes, but never goes by itself. */
const fixed = { list: null, removal: "follows", restored: present } as const;

export const sectionRules: { readonly [Kind in SectionKind]: SectionRule<Kind> } = {
  node: {
    order: 1,
    fields: { nodeId: fixed, kind: fixed, hostname: fixed, routerId: fixed },
  },
  system: {
    order: 2,
    fields: {
      restartAt: { list: null, removal: "setting", restored: present },
      drift: { list: null, removal: "setting", restored: present },
    },
  },
  underlay: {
    order: 3,
    fields: {
      lines: { list: { kind: "line", key: ["slot"] }, removal: "line", restored: linesOfBoth },
      lans: {
        list: { kind: "lan", key: ["interfaceName", "vlan"] },
        removal: { of: "addresses", as: "lan" },
        restored: "past",
      },
      // As all that comes from policy objects.
      cards: {
        list: { kind: "card", key: ["interfaceName"] },
        removal: "policy",
        restored: present,
      },
    },
  },
  static: {
    order: 4,
    fields: {
      routes: {
        list: { kind: "route", key: ["destination", "nextHop"] },
        removal: "route",
        restored: "past",
      },
    },
  },
  firewall: {
    order: 5,
    fields: {
      wan: { list: { kind: "wan", key: [] }, removal: "follows", restored: wanOfBoth },
      lan: {
        list: { kind: "lanAccess", key: ["interfaceName", "networks"] },
        removal: "follows",
        restored: "past",
      },
      tunnelPorts: { list: { kind: "tunnelPort", key: [] }, removal: "follows", restored: present },
      // What is forbidden today was decided with today's knowledge: a rollback opens nothing of it.
      acl: {
        list: {
          kind: "acl",
          key: ["action", "protocol", "source", "sourcePort", "target", "targetPort", "mac"],
          ordered: true,
          unseen: ["object"],
        },
        removal: "acl",
        restored: present,
      },
    },
  },
  tunnel: {
    order: 6,
    fields: {
      spaceId: fixed,
      netns: fixed,
      links: { list: { kind: "link", key: ["id"] }, removal: "link", restored: present },
    },
  },
  routing: {
    order: 7,
    fields: {
      spaceId: fixed,
      netns: fixed,
      asn: fixed,
      reflector: fixed,
      bfd: fixed,
      announce: { list: { kind: "announce", key: [] }, removal: "prefix", restored: present },
      ranks: { list: { kind: "rank", key: ["prefix"] }, removal: "setting", restored: present },
      neighbors: {
        list: { kind: "neighbor", key: ["linkId"] },
        removal: { of: "accept", as: "prefix", whileKept: true },
        restored: present,
      },
    },
  },
  client: {
    order: 8,
    fields: {
      spaceId: fixed,
      netns: fixed,
      interfaceName: fixed,
      listenPort: fixed,
      slot: fixed,
      mtu: fixed,
      address: fixed,
      peers: { list: { kind: "account", key: ["id"] }, removal: "account", restored: present },
    },
  },
  space: {
    order: 9,
    fields: {
      spaceId: fixed,
      netns: fixed,
      // One that is lost by mistake would leave by a line in clear.
      networks: { list: { kind: "spaceNetwork", key: [] }, removal: "prefix", restored: present },
    },
  },
  // What is asked of the device today by rules is not undone by a rollback, as with the ACL.
  policy: {
    order: 10,
    fields: {
      sets: { list: { kind: "addressSet", key: ["id"] }, removal: "follows", restored: present },
      limits: {
        list: { kind: "connectionLimit", key: ["id"] },
        removal: "policy",
        restored: present,
      },
      routes: {
        list: { kind: "policyRoute", key: ["id"], ordered: true },
        removal: "policy",
        restored: present,
      },
      tunnels: {
        list: { kind: "bandwidthTunnel", key: ["id"] },
        removal: "follows",
        restored: present,
      },
      bandwidths: {
        list: { kind: "bandwidthRule", key: ["id"], ordered: true },
        removal: "policy",
        restored: present,
      },
      applications: {
        list: { kind: "appGroup", key: ["id"] },
        removal: "follows",
        restored: present,
      },
      times: { list: { kind: "timeGroup", key: ["id"] }, removal: "follows", restored: present },
      timeZone: { list: null, removal: "follows", restored: present },
      portMaps: { list: { kind: "portMap", key: ["id"] }, removal: "policy", restored: present },
    },
  },
  // What lines carry is of the provider, and what a site may of its contract: both are as of today.
  shaping: {
    order: 12,
    fields: {
      up: { list: null, removal: "setting", restored: present },
      down: { list: null, removal: "setting", restored: present },
      lines: { list: { kind: "lineRate", key: ["slot"] }, removal: "follows", restored: present },
      circuits: { list: { kind: "circuit", key: ["id"] }, removal: "policy", restored: present },
    },
  },
  // What routers may be asked is decided today, as with rules.
  site: {
    order: 13,
    fields: {
      neighbors: {
        list: { kind: "siteNeighbor", key: ["id"] },
        removal: "policy",
        restored: present,
      },
      interfaces: {
        list: { kind: "siteInterface", key: ["id"] },
        removal: "policy",
        restored: present,
      },
      sent: { list: null, removal: "follows", restored: present },
    },
  },
  // Whom a site reaches is decided today.
  groups: {
    order: 14,
    fields: {
      rate: { list: null, removal: "follows", restored: present },
      // The networks of one are those of its other members.
      groups: { list: { kind: "userGroup", key: ["id"] }, removal: "policy", restored: present },
    },
  },
  // The choice of paths follows from what the device can, not from rows.
  paths: {
    order: 15,
    fields: {
      limits: { list: null, removal: "follows", restored: present },
      returnAfter: { list: null, removal: "follows", restored: present },
      spaces: { list: null, removal: "follows", restored: present },
    },
  },
  // Where flows have to pass is decided today, and agreed with the other hops.
  segment: {
    order: 16,
    fields: {
      spaceId: fixed,
      netns: fixed,
      routes: {
        list: { kind: "segmentRoute", key: ["id"], ordered: true },
        removal: "segment",
        restored: present,
      },
    },
  },
  // With the addresses of the LANs, which are those of the same past state.
  standby: {
    order: 17,
    fields: {
      group: { list: null, removal: "follows", restored: "past" },
      role: { list: null, removal: "follows", restored: "past" },
      priority: { list: null, removal: "follows", restored: "past" },
      lans: {
        list: { kind: "standbyLan", key: ["interfaceName"] },
        removal: "follows",
        restored: "past",
      },
    },
  },
  // Hosts keep their names and leases: a rollback is about forwarding.
  dns: {
    order: 11,
    fields: {
      answers: {
        list: { kind: "dnsAnswer", key: ["domain", "address"] },
        removal: "follows",
        restored: present,
      },
      servers: {
        list: { kind: "dnsServer", key: ["domain", "address"] },
        removal: "follows",
        restored: present,
      },
      denied: { list: { kind: "deniedName", key: [] }, removal: "policy", restored: present },
      ranges: {
        list: { kind: "dhcpRange", key: ["interfaceName", "address"] },
        removal: "follows",
        restored: present,
      },
      reservations: {
        list: { kind: "dhcpReservation", key: ["mac"] },
        removal: "follows",
        restored: present,
      },
      controls: {
        list: { kind: "dnsControl", key: ["id"], ordered: true },
        removal: "policy",
        restored: present,
      },
      timeZone: { list: null, removal: "follows", restored: present },
    },
  },
};

/** A rule as code reads it that takes every section alike. */
export interface AnyFieldRule {
  readonly list: {
    readonly kind: string;
    readonly key: readonly string[];
    readonly ordered?: true;
    readonly unseen?: readonly string[];
  } | null;
  readonly removal: Removal<Record<string, unknown>>;
  readonly restored: "past" | "present" | ((past: DesiredState, present: DesiredState) => unknown);
}

/** Rules of a section's fields by name; undefined: a section that this version does not know. */
export const fieldRules = (section: string): Readonly<Record<string, AnyFieldRule>> | undefined =>
  Object.hasOwn(sectionRules, section)
    ? (sectionRules[section as SectionKind].fields as unknown as Record<string, AnyFieldRule>)
    : undefined;

/** Position of a section in a difference; unknown ones come last. */
export const orderOf = (section: string): number =>
  Object.hasOwn(sectionRules, section)
    ? sectionRules[section as SectionKind].order
    : Number.MAX_SAFE_INTEGER;
