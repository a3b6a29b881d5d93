import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing } from "#kernel/endpoint.ts";
import { defineResource } from "#kernel/resource.ts";
import * as address from "#rules/address.ts";
import * as number from "#rules/number.ts";
import * as text from "#rules/text.ts";

/** A network behind a CPE (section 3); announced in the node's space while `enableForward` is on. */
const draft = z.object({
  nCpeID: codec.id,
  interfaceName: text.interfaceName,
  /** The box's own address in the section: 10.1.1.1/24. */
  network: address.ipv4Cidr,
  /** The same for IPv6, out of fc00::/7. */
  network6: codec.orNull(address.ulaCidr),
  vlan: codec.orNull(number.vlan),
  /** Carried in the space. */
  enableForward: codec.flag,
  /** May leave directly by the lines (source NAT). */
  enableDirect: codec.flag,
  remark: text.remark,
});

const row = z.object({
  id: z.number(),
  nCpeID: z.number(),
  interfaceName: z.string(),
  network: z.string(),
  network6: z.string().nullable(),
  vlan: z.number().nullable(),
  enableForward: codec.flag,
  enableDirect: codec.flag,
  remark: z.string(),
});

export const lanSection = defineResource({
  name: "lansection",
  path: "/customer/lansection",
  id: "id",
  row,
  draft,
  query: z.object({ nCpeID: codec.id }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["id", "interfaceName", "network"],
  owner: "nCpeID",
  may: {
    list: "configLansectionList",
    add: "lansectionAdd",
    edit: "lansectionEdit",
    remove: "lansectionRemove",
    combo: null,
  },
});

const switchInput = { nCpeID: codec.id, ids: codec.someIds };

export const lanSectionEnableForward = endpoint({
  id: "lansection.enableForwardSaveCpeid",
  method: "POST",
  path: "/customer/lansection/enableForwardSaveCpeid",
  input: z.object({ ...switchInput, enableForward: codec.flag }),
  output: nothing,
  may: "lansectionEnableForward",
});

/** The call says Redirect, the field says Direct (section 7.3 and 3). */
export const lanSectionEnableDirect = endpoint({
  id: "lansection.enableRedirectSaveCpeid",
  method: "POST",
  path: "/customer/lansection/enableRedirectSaveCpeid",
  input: z.object({ ...switchInput, enableDirect: codec.flag }),
  output: nothing,
  may: "lansectionEnableRedirect",
});
