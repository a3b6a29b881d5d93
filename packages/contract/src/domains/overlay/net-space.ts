import { z } from "zod";
import { screens } from "#contract/access.ts";
import type { Samples } from "#contract/samples/sample.ts";
import { cpe } from "#domains/devices/cpe.ts";
import { topologies } from "#domains/devices/enums.ts";
import { line } from "#domains/devices/line.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint } from "#kernel/endpoint.ts";
import { comboItem, defineResource } from "#kernel/resource.ts";
import * as text from "#rules/text.ts";

/** The isolated overlay of one enterprise: which nodes, and who links to whom. */
const draft = z.object({
  name: text.name,
  groupid: codec.id,
  topology: codec.code(topologies),
  /** Hubs. A POP may serve many spaces, each in its own network namespace. */
  popIds: codec.idList,
  /** Spokes. A CPE is in at most one space. */
  cpeIds: codec.idList,
  remark: text.remark,
});

const row = z.object({
  id: z.number(),
  name: z.string(),
  groupid: z.number(),
  enterpriseName: z.string(),
  topology: z.number(),
  popIds: codec.idList,
  cpeIds: codec.idList,
  links: z.number(),
  linksUp: z.number(),
  remark: z.string(),
  createTime: codec.instant,
  updateTime: codec.instant,
  createBy: z.string().nullable(),
});

export const netSpace = defineResource({
  name: "netSpace",
  title: ["网络空间", "Network space"],
  path: "/customer/netSpace",
  id: "id",
  row,
  draft,
  query: z.object({
    name: codec.orNull(codec.text(64)),
    groupid: codec.orNull(codec.id),
  }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["id", "name", "createTime"],
  sheet: { key: ["groupid", "name"] },
  may: {
    list: screens(
      "/business-system/overlay/space",
      "/sdwan-system/cpe",
      "/business-system/overlay/linkManage",
      "/devopsmonitor/linkMonitor",
      "/sdwan-system/enterprisemanage",
      "clientConfig",
    ),
    add: "netSpaceAdd",
    edit: "netSpaceEdit",
    remove: "netSpaceRemove",
    combo: null,
  },
});

/** CPEs and POPs that a space of this enterprise may take; `taken` names the space a CPE is in. */
export const netSpaceCandidates = endpoint({
  id: "netSpace.candidates",
  method: "GET",
  path: "/customer/netSpace/candidates",
  input: z.object({ groupid: codec.id, netSpaceId: codec.orNull(codec.id) }),
  output: z.object({
    pops: z.array(comboItem),
    cpes: z.array(comboItem.extend({ taken: z.string().nullable() })),
  }),
  // Its form is opened from the page of an enterprise as well.
  may: screens("/business-system/overlay/space", "clientConfig", "netSpaceAdd", "netSpaceEdit"),
});

const ofGroup = z.object({ groupid: codec.id, netSpaceId: codec.orNull(codec.id) });

/** CPEs of an enterprise and its subordinates; of one space, when it is named (section 7.3). */
export const netSpaceCpes = endpoint({
  id: "netSpace.getChildAndSelfCpe",
  method: "GET",
  path: "/customer/netSpace/getChildAndSelfCpe",
  input: ofGroup,
  output: z.array(cpe.row),
  may: screens("/business-system/overlay/space"),
});

/** The same with their lines. */
export const netSpaceCpesAndLines = endpoint({
  id: "netSpace.getChildAndSelfCpeAndDirectLine",
  method: "GET",
  path: "/customer/netSpace/getChildAndSelfCpeAndDirectLine",
  input: ofGroup,
  output: z.object({ cpeList: z.array(cpe.row), lineList: z.array(line.row) }),
  may: screens("/business-system/overlay/space"),
});

/** CPEs that may be the other end of a link: those of the same space (the spelling is the wire's). */
export const netSpaceTargets = endpoint({
  id: "netSpace.getTargeCpe",
  method: "GET",
  path: "/customer/netSpace/getTargeCpe",
  input: z.object({ cpeId: codec.id, netSpaceId: codec.orNull(codec.id) }),
  output: z.array(cpe.row),
  may: screens("/business-system/overlay/space"),
});

export const netSpaceSamples: Samples<typeof netSpace> = {
  valid: ({ groupid, popId, cpeId }) => ({
    name: "生产网",
    groupid,
    topology: 0,
    popIds: [popId],
    cpeIds: [cpeId],
    remark: "",
  }),
  edited: (ids) => ({ ...netSpaceSamples.valid(ids), name: "生产网-2", topology: 1 }),
  distinct: ({ name }) => ({ name }),
  invalid: [
    { field: "name", value: "", rule: "required" },
    { field: "topology", value: 3, rule: "oneOf" },
    { field: "cpeIds", value: [0], rule: "integer" },
  ],
};
