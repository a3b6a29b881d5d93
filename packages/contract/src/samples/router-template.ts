/** Samples of router templates. */
export const routerTemplateSamples = {
  routerTemplate: {
    valid: () => ({ templateName: "分支标准", remark: "门店通用" }),
    edited: () => ({ templateName: "分支标准-2", remark: "" }),
    invalid: [
      { field: "templateName", value: "", rule: "required" },
      { field: "templateName", value: "a b", rule: "name" },
    ],
  },
} as const;
