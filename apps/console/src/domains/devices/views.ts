import { type FirstCallsByView, filteredCall, listCall, type Views } from "#kernel/view.ts";

/** Screens of this domain, by the view key of the menu. */
export const views = {
  CpeSet: () => import("./cpe/cpe-set-page.tsx"),
  CpeNeighbor: () => import("./cpe/cpe-neighbor-page.tsx"),
  PopSet: () => import("./pop/pop-set-page.tsx"),
  DialTask: () => import("./dial-task/dial-task-page.tsx"),
  PopManage: () => import("./pop/pop-page.tsx"),
  CpeManage: () => import("./cpe/cpe-page.tsx"),
  EnterpriseSites: () => import("./cpe/enterprise-sites-page.tsx"),
  Enrolment: () => import("./enrolment/enrolment-page.tsx"),
} satisfies Views;

/** As `useWorstFirst` asks. */
const worstFirst = { orderByColumn: "health", isAsc: "asc" };

/** What stands beside the title of a list of nodes; the counts are of all tones. */
const nodeCounts = (classType: "cpe" | "pop", search: URLSearchParams): readonly string[] => {
  const filters = new URLSearchParams(search);
  filters.delete("tone");
  return [
    filteredCall("/customer/nodeHealth.counts", filters, { classType }),
    "/customer/userconsole/numbers",
  ];
};

const ofEnterprise = (search: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...search].filter(([name]) => name === "groupid"));

/** What each asks for first. */
export const firstCalls = {
  CpeManage: (search) => [
    ...listCall("/customer/cpe/findAll", worstFirst)(search),
    ...nodeCounts("cpe", search),
    filteredCall("/customer/cpeArea/tree", ofEnterprise(search)),
  ],
  PopManage: (search) => [
    ...listCall("/customer/pop/list", worstFirst)(search),
    ...nodeCounts("pop", search),
  ],
  Enrolment: listCall("/customer/enrolment/list"),
  DialTask: listCall("/customer/dialTask/list"),
} satisfies FirstCallsByView;
