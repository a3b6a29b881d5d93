import { z } from "zod";
import { screens } from "#contract/access.ts";
import { networkOf, type Samples } from "#contract/samples/sample.ts";
import { auditStatuses } from "#domains/enterprises/enums.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing } from "#kernel/endpoint.ts";
import { defineResource } from "#kernel/resource.ts";
import { failsWith } from "#kernel/rule.ts";
import * as address from "#rules/address.ts";
import * as number from "#rules/number.ts";
import * as text from "#rules/text.ts";
import { clouds } from "./enums.ts";

const ends = { localIp: codec.orNull(address.ipHost), peerIp: codec.orNull(address.ipHost) };
interface Ends {
  readonly localIp: string | null;
  readonly peerIp: string | null;
}

const areBothOrNone = ({ localIp, peerIp }: Ends): boolean => !localIp === !peerIp;
const areOneFamily = ({ localIp, peerIp }: Ends): boolean => {
  const [local, peer] = [address.parseAddress(localIp ?? ""), address.parseAddress(peerIp ?? "")];
  return !local || !peer || local.family === peer.family;
};
const areTwo = ({ localIp, peerIp }: Ends): boolean => !localIp || localIp !== peerIp;

/** The attachment of a POP to a cloud's border router (specification section 2.3). */
const draft = z
  .object({
    name: text.name,
    /** Whose it is; null: the caller's own. */
    groupid: codec.orNull(codec.id),
    cloud: codec.oneOf(clouds),
    /** Null in an edit: as it was. Who may not see POPs cannot name one. */
    popId: codec.orNull(codec.id),
    /** Of the line to the cloud; 0 or null: untagged. */
    vlan: codec.orNull(number.vlan),
    /** The POP's end of the line, and the cloud's; both or none. */
    ...ends,
    /** kbit/s; null: as the line gives. */
    bandwidth: codec.orNull(number.bandwidthKbps),
    remark: text.remark,
  })
  .refine(areBothOrNone, failsWith("required", {}, ["peerIp"]))
  .refine(areOneFamily, failsWith("ip", {}, ["peerIp"]))
  .refine(areTwo, failsWith("twoEnds", {}, ["peerIp"]));

export const vbrNode = defineResource({
  name: "vbrNode",
  title: ["跨云节点", "Cross-cloud node"],
  unversioned: ["popId"],
  path: "/customer/vbrNode",
  id: "id",
  row: z.object({
    id: z.number(),
    name: z.string(),
    groupid: z.number(),
    enterpriseName: z.string(),
    cloud: z.enum(clouds),
    /** Null without vbrNodePopView. */
    popId: z.number().nullable(),
    popName: z.string().nullable(),
    vlan: z.number().nullable(),
    localIp: z.string().nullable(),
    peerIp: z.string().nullable(),
    bandwidth: z.number().nullable(),
    auditStatus: codec.code(auditStatuses),
    auditBy: z.string().nullable(),
    auditTime: codec.instant.nullable(),
    /** Comment of the review. */
    auditRemark: z.string().nullable(),
    /** Rows of its table. */
    routes: z.number(),
    remark: z.string(),
    createTime: codec.instant,
  }),
  draft,
  query: z.object({
    name: codec.orNull(codec.text(64)),
    popId: codec.orNull(codec.id),
    auditStatus: codec.orNull(codec.code(auditStatuses)),
  }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["id", "name", "createTime"],
  sheet: { key: ["groupid", "name"] },
  may: {
    list: screens("/business-system/vbrNode/vbrNode"),
    add: "vbrNodeAdd",
    edit: "vbrNodeEdit",
    remove: "vbrNodeRemove",
    combo: null,
  },
});

/** Results of a review: approved, rejected. */
export const vbrReviewResults = [1, 2] as const;

/** Approves (1) or rejects (2) a node that waits. */
export const vbrNodeAudit = endpoint({
  id: "vbrNode.audit",
  method: "POST",
  path: "/customer/vbrNode/audit",
  input: z.object({
    id: codec.id,
    status: codec.code(vbrReviewResults),
    remark: codec.orNull(text.remark),
  }),
  output: nothing,
  may: "vbrNodeAudit",
});

const sameFamily = (route: { network: string; nextHop: string }): boolean => {
  const network = address.parsePrefix(route.network);
  const nextHop = address.parseAddress(route.nextHop);
  return !network || !nextHop || network.family === nextHop.family;
};

/** A network behind a cloud's border router. */
export const vbrTable = defineResource({
  name: "vbrTable",
  title: ["跨云表项", "Cross-cloud table row"],
  path: "/customer/vbrTable",
  id: "id",
  row: z.object({
    id: z.number(),
    vbrNodeId: z.number(),
    network: z.string(),
    nextHop: z.string(),
    remark: z.string(),
  }),
  draft: z
    .object({
      vbrNodeId: codec.id,
      network: address.ofSites(address.ipNetwork),
      nextHop: address.ipHost,
      remark: text.remark,
    })
    .refine(sameFamily, failsWith("ip", {}, ["nextHop"])),
  query: z.object({ vbrNodeId: codec.id }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["id", "network"],
  sheet: { key: ["network"] },
  owner: "vbrNodeId",
  may: {
    list: screens("/business-system/vbrNode/vbrNode"),
    add: "vbrTableAdd",
    edit: "vbrTableEdit",
    remove: "vbrTableRemove",
    combo: null,
  },
});

export const vbrNodeSamples: Samples<typeof vbrNode> = {
  valid: ({ groupid, popId }) => ({
    name: "阿里云华东",
    groupid,
    cloud: "aliyun",
    popId,
    vlan: 1201,
    localIp: "169.254.10.1",
    peerIp: "169.254.10.2",
    bandwidth: 100_000,
    remark: "",
  }),
  edited: (ids) => ({
    ...vbrNodeSamples.valid(ids),
    cloud: "aws",
    vlan: null,
    localIp: null,
    peerIp: null,
    bandwidth: null,
  }),
  distinct: ({ name }) => ({ name }),
  invalid: [
    { field: "name", value: "<b>", rule: "name" },
    { field: "cloud", value: "moon", rule: "oneOf" },
    { field: "vlan", value: 4095, rule: "vlan" },
    { field: "peerIp", value: "fd00::2", rule: "ip" },
    { field: "peerIp", value: "169.254.10.1", rule: "twoEnds" },
    { field: "peerIp", value: null, rule: "required" },
    { field: "bandwidth", value: 63, rule: "bandwidth" },
  ],
};

export const vbrTableSamples: Samples<typeof vbrTable> = {
  valid: ({ vbrNodeId = 1 }) => ({
    vbrNodeId,
    network: "172.16.0.0/16",
    nextHop: "169.254.10.2",
    remark: "",
  }),
  edited: (ids) => ({ ...vbrTableSamples.valid(ids), network: "172.17.0.0/16" }),
  distinct: (mark) => ({ network: `${networkOf(mark)}.0/24` }),
  invalid: [
    { field: "network", value: "172.16.0.0", rule: "cidr" },
    { field: "nextHop", value: "fd00::1", rule: "ip" },
  ],
};
