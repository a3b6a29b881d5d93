/** The tree of enterprises for a cascader, in the four forms of section 7.2. */

import { z } from "zod";
import { screens } from "#contract/access.ts";
import { endpoint } from "#kernel/endpoint.ts";

export interface CascaderNode {
  value: number;
  label: string;
  children: CascaderNode[];
}

const node: z.ZodType<CascaderNode, CascaderNode> = z.object({
  value: z.number(),
  label: z.string(),
  get children() {
    return z.array(node);
  },
});

export interface TypedCascaderNode {
  value: number;
  label: string;
  isAgent: number;
  enterpriseType: number;
  children: TypedCascaderNode[];
}

const typedNode: z.ZodType<TypedCascaderNode, TypedCascaderNode> = z.object({
  value: z.number(),
  label: z.string(),
  /** 1 or 0. */
  isAgent: z.number(),
  enterpriseType: z.number(),
  get children() {
    return z.array(typedNode);
  },
});

const none = {
  method: "GET",
  input: z.object({}),
  may: screens("/sdwan-system/enterprisemanage"),
} as const;

export const enterpriseCascader = endpoint({
  ...none,
  id: "enterprise.cascader",
  path: "/customer/enterprise/cascader",
  output: z.array(node),
});

/** With the kind of each enterprise. */
export const enterpriseCascaderNew = endpoint({
  ...none,
  id: "enterprise.cascaderNew",
  path: "/customer/enterprise/cascaderNew",
  output: z.array(typedNode),
});

/** Without the cut of the data scope, for controllers whose role names selected enterprises. */
export const enterpriseCascaderAll = endpoint({
  ...none,
  id: "enterprise.cascaderAll",
  path: "/customer/enterprise/cascaderAll",
  output: z.array(node),
});

export const enterpriseCascaderAllNew = endpoint({
  ...none,
  id: "enterprise.cascaderAllNew",
  path: "/customer/enterprise/cascaderAllNew",
  output: z.array(typedNode),
});
