/** Which lists take pasted lines, and the field that a value is of. Small: the button of every list reads it. */
export const pasteFields = {
  blacklist: {
    field: "value",
    group: null,
    rest: { groupid: 1, cpeIds: "", enable: "1", remark: "" },
  },
  routerIpgroupdefine: {
    field: "ip",
    group: "ipgroupId",
    rest: { name: "a", remark: "", ipgroupId: 1, cpeId: 1 },
  },
  routerDomains: {
    field: "domain",
    group: "dnsgroupId",
    rest: { name: "a", remark: "", dnsgroupId: 1, cpeId: 1 },
  },
  routerUrl: {
    field: "url",
    group: "urlgroupId",
    rest: { name: "a", remark: "", urlgroupId: 1, allowOnlyHost: "1", cpeId: 1 },
  },
} as const;
export type PasteResource = keyof typeof pasteFields;

/** The list of a resource that takes pasted lines; null: it takes none. */
export function pasteResource(name: string): PasteResource | null {
  const plain = name.replace(/\.manage$/, "");
  return Object.hasOwn(pasteFields, plain) ? (plain as PasteResource) : null;
}
