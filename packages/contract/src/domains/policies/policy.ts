/** Calls of policy objects that are no verb of a family (specification section 7.4). */
import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { endpoint } from "#kernel/endpoint.ts";
import { comboItem } from "#kernel/resource.ts";

/** A flat list; `pId` 0 is a root (section 3). */
export const treeNode = z.object({ id: z.number(), pId: z.number(), name: z.string() });

/** Application protocols: the catalogue, and the owner's own ones. */
export const protocolTree = endpoint({
  id: "routerProtocolex.tree",
  method: "GET",
  path: "/customer/routerProtocolex/tree",
  input: z.object({ templateId: codec.id }),
  output: z.array(treeNode),
  may: "routerTemplateView",
});
export const nodeProtocolTree = endpoint({
  id: "routerProtocolex.manage.tree",
  method: "GET",
  path: "/customer/routerProtocolex/manage/tree",
  input: z.object({ cpeId: codec.orNull(codec.id), popId: codec.orNull(codec.id) }),
  output: z.array(treeNode),
  may: "cpeConfig",
  mayInstead: { field: "popId", may: "popConfig" },
});

const choices = z.array(comboItem);

/** What the policy forms of a node start with: the choices of every reference field. */
const initialData = z.object({
  lines: choices,
  interfaces: choices,
  times: choices,
  ipGroups: choices,
  dnsGroups: choices,
  domains: choices,
  urlGroups: choices,
  appGroups: choices,
  pipes: choices,
  protocols: z.array(treeNode),
});
export type InitialPolicy = z.output<typeof initialData>;

export const initPolicy = endpoint({
  id: "router.initPolicy",
  method: "GET",
  path: "/customer/router/initPolicy",
  input: z.object({ cpeId: codec.id }),
  output: initialData,
  may: "cpeConfig",
});
export const initPolicyPop = endpoint({
  id: "router.initPolicyPop",
  method: "GET",
  path: "/customer/router/initPolicyPop",
  input: z.object({ popId: codec.id }),
  output: initialData,
  may: "popConfig",
});
