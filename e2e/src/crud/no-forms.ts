/** Routes on which the crawl creates nothing, each with its reason. */
export const withoutForm: readonly (readonly [path: RegExp, reason: string])[] = [
  [/^\/(?:login|forget)$/, "no rows; login.test.ts fills them in"],
  [/^\/exception\/|^\/\*$|^\/blank$|download\.html$/, "nothing is entered there"],
  [/^\/screen$|topology$|linkMonitor$|workplace$|cpeNeighbor/, "shows what there is"],
  [/Table\/|Table$|mobileTerminal\/table\//, "a report"],
  [/Log\/|\/logs\/|\/recordmanage\/|\/dealmanage\//, "records of what happened"],
  [/^\/user\/message$|stationmessage$/, "messages come by themselves"],
  [/^\/user\/info$/, "the own account; login.test.ts changes it"],
  [/templatemanage$/, "the list of /business/template under its public path"],
  [/template\/(?:add|:param)$/, "overview of a template, and keys that are no section"],
];
