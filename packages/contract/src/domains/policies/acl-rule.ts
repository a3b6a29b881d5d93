import { z } from "zod";
import type { Samples } from "#contract/samples/sample.ts";
import { aclActions, aclProtocols } from "#domains/devices/settings-enums.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing } from "#kernel/endpoint.ts";
import { defineResource } from "#kernel/resource.ts";
import { failsWith } from "#kernel/rule.ts";
import * as address from "#rules/address.ts";
import * as host from "#rules/host.ts";
import * as text from "#rules/text.ts";

interface Match {
  readonly protocol: string;
  readonly srcIp: string | null;
  readonly dstIp: string | null;
  readonly srcPort: string | null;
  readonly dstPort: string | null;
}

const sameFamily = ({ srcIp, dstIp }: Match): boolean => {
  const [source, target] = [srcIp, dstIp].map((network) => address.parsePrefix(network ?? ""));
  return !source || !target || source.family === target.family;
};

const hasPorts = ({ protocol }: Match): boolean => protocol === "tcp" || protocol === "udp";

/** A rule for what passes through a CPE (section 3); the first that fits decides. */
const draft = z
  .object({
    nCpeID: codec.id,
    nEnable: codec.flag,
    /** Group of the rule; lower ones come first. */
    nSection: codec.int(0, 9_999),
    sort: codec.int(0, 9_999),
    name: text.name,
    action: codec.code(aclActions),
    protocol: codec.oneOf(aclProtocols),
    /** Networks; empty: any. */
    srcIp: codec.orNull(address.ipCidr),
    dstIp: codec.orNull(address.ipCidr),
    /** A port or a range; empty: any. */
    srcPort: codec.orNull(host.portOrRange),
    dstPort: codec.orNull(host.portOrRange),
    remark: text.remark,
  })
  .refine(sameFamily, failsWith("ip", {}, ["dstIp"]))
  .refine(
    (rule) => rule.srcPort === null || hasPorts(rule),
    failsWith("portsWithProtocol", {}, ["srcPort"]),
  )
  .refine(
    (rule) => rule.dstPort === null || hasPorts(rule),
    failsWith("portsWithProtocol", {}, ["dstPort"]),
  );

const row = z.object({
  nID: z.number(),
  nCpeID: z.number(),
  nEnable: codec.flag,
  nSection: z.number(),
  sort: z.number(),
  name: z.string(),
  action: z.number(),
  protocol: z.enum(aclProtocols),
  srcIp: z.string().nullable(),
  dstIp: z.string().nullable(),
  srcPort: z.string().nullable(),
  dstPort: z.string().nullable(),
  remark: z.string(),
});

export const aclRule = defineResource({
  name: "xaclrules",
  title: ["ACL 规则", "ACL rule"],
  path: "/customer/xaclrules",
  id: "nID",
  row,
  draft,
  query: z.object({ nCpeID: codec.id }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["nSection", "nID", "name"],
  sheet: { key: ["name"] },
  owner: "nCpeID",
  may: {
    list: "configAcl",
    add: "configAclEdit",
    edit: "configAclEdit",
    remove: "configAclRemove",
    combo: null,
  },
});

/** Removes every rule of one CPE (section 7.3). */
export const aclRuleClear = endpoint({
  id: "xaclrules.clear",
  method: "POST",
  path: "/customer/xaclrules/clear",
  input: z.object({ nCpeID: codec.id }),
  output: nothing,
  may: "configAclRemove",
});

export const aclRuleSamples: Samples<typeof aclRule> = {
  valid: ({ cpeId }) => ({
    nCpeID: cpeId,
    nEnable: true,
    nSection: 10,
    sort: 0,
    name: "禁访客进财务",
    action: 0,
    protocol: "tcp",
    srcIp: "10.1.9.0/24",
    dstIp: "10.1.1.0/24",
    srcPort: null,
    dstPort: "1-1024",
    remark: "",
  }),
  edited: (ids) => ({ ...aclRuleSamples.valid(ids), nSection: 20, action: 1 }),
  distinct: ({ name }) => ({ name }),
  invalid: [
    { field: "name", value: "", rule: "required" },
    { field: "action", value: 2, rule: "oneOf" },
    { field: "protocol", value: "sctp", rule: "oneOf" },
    { field: "srcIp", value: "10.1.9.0", rule: "cidr" },
    { field: "dstIp", value: "fd00::/64", rule: "ip" },
    { field: "dstPort", value: "9-1", rule: "portRange" },
  ],
};
