/** What may pass a device beside what its LAN sections say (`underlay.lans`): WAN links, and the rules of its ACL. */
import { z } from "zod";
import { aclPart, aclRuleState } from "#contract/device/v1/acl.ts";
import { inChunks } from "#contract/device/v1/buckets.ts";
import { stateLimits } from "#contract/device/v1/limits.ts";
import { defineSection, requirePart } from "#contract/device/v1/section.ts";
import { interfaceName as ifname, port } from "#contract/device/v1/text.ts";

/** An edge with this capability reads rules of the ACL in chunks (`firewall.<number>`). */
export const aclChunksCapability = "state.aclChunks";

export const firewallSection = z.strictObject({
  /** Line interfaces: closed but for tunnels, ICMP and what the device itself asked for. */
  wan: z.array(ifname).max(4),
  /** UDP ports of tunnels that end here. */
  tunnelPorts: z.array(port).max(65_535),
  /** Looked at before anything passes from a LAN, a line or a link to another; absent: none. */
  acl: z.array(aclRuleState).max(stateLimits.aclRules).optional(),
});

export type FirewallSection = z.output<typeof firewallSection>;

/** `firewall.<number>` holds rules of the ACL, in the order of their numbers. */
export const firewallDeclaration = defineSection(firewallSection, {
  occurs: "once",
  dividedFor: aclChunksCapability,
  parts: "divided",
  part: aclPart,
  divide: function* (firewall, isDivided) {
    const { acl = [], ...others } = firewall;
    yield ["", isDivided ? others : firewall];
    if (!isDivided) return;
    for (const [at, rules] of inChunks(acl).entries()) yield [`${at}`, { acl: rules }];
  },
  join: (parts, name) => {
    const firewall = firewallSection.parse(requirePart(parts, "", name));
    const chunks = [...parts.keys()].filter((part) => part !== "");
    const rules = chunks.flatMap((_, at) => aclPart.parse(requirePart(parts, `${at}`, name)).acl);
    return rules.length === 0 ? firewall : { ...firewall, acl: rules };
  },
  limits: {
    wan: { follows: "a WAN link has one of four slots" },
    tunnelPorts: { follows: "ports are unique on a device" },
    acl: { rows: "aclRules" },
  },
  fields: {
    wan: { list: { kind: "wan", key: [] }, removal: "follows", restored: "fitted" },
    tunnelPorts: { list: { kind: "tunnelPort", key: [] }, removal: "follows", restored: "present" },
    // What is forbidden today was decided with today's knowledge: a rollback opens nothing of it.
    acl: {
      list: {
        kind: "acl",
        key: ["action", "protocol", "source", "sourcePort", "target", "targetPort", "mac"],
        ordered: true,
        unseen: ["object"],
      },
      removal: "acl",
      restored: "present",
    },
  },
});
