import type { SamplesOf } from "#contract/samples/sample.ts";
import type { resources } from "./domain.ts";

/** Drafts of each resource of this domain. */
export const samples: SamplesOf<typeof resources> = {
  routerTemplate: {
    valid: () => ({ templateName: "分支标准", remark: "门店通用" }),
    edited: () => ({ templateName: "分支标准-2", remark: "" }),
    invalid: [
      { field: "templateName", value: "", rule: "required" },
      { field: "templateName", value: "a b", rule: "name" },
    ],
  },
};
