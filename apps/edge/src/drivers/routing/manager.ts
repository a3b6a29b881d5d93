/** FRR 9 and newer take static routes from this daemon alone. */
export const frrManager = "/usr/lib/frr/mgmtd";
export const noManager =
  "this FRR takes static routes from its mgmtd only, which the edge does not start yet";
