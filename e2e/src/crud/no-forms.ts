/** Routes on which the walk makes nothing, each with its reason. */
export const withoutForm: readonly (readonly [path: RegExp, reason: string])[] = [
  [/^\/(?:login|forget)$/, "no rows; login.test.ts fills them in"],
  [/^\/exception\/|^\/\*$|^\/blank$|download\.html$/, "nothing is entered there"],
  [/^\/screen$|topology$|linkMonitor$|workplace$|cpeNeighbor/, "shows what there is"],
  [/Table\/|Table$|mobileTerminal\/table\//, "a report"],
  [/Log\/|\/logs\/|\/recordmanage\/|\/dealmanage\//, "records of what happened"],
  [/linkManage$/, "a link needs two boxes that can take it; link tests of the controller add them"],
  [/^\/user\/message$|stationmessage$/, "messages come by themselves"],
  [/^\/user\/info$/, "the own account; login.test.ts changes it"],
  [/mobileTerminal\/config$|paramconfig$|enterpriseInfo$/, "settings that an enterprise has once"],
  [/templatemanage$/, "the list of /business/template under its public path"],
  [/template\/(?:add|:param)$/, "overview of a template, and words that are no section"],
  [/template\/interface$/, "interfaces are those of boxes: set, never made"],
  [
    /apikey$/,
    "a key is shown once, in a dialog that has to be said yes to; its own tests make keys",
  ],
  [
    /warningpolicy$|saasquickly\/app$|segmentRoute/,
    "has a form that the walk does not fill in yet",
  ],
];
