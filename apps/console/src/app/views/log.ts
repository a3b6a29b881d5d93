import type { Load } from "./view.ts";

/** Logs of nodes: tabs below a node, and entries of the menu. */
export const cpeLog: Load = () => import("#domains/monitoring/node-log/cpe-log-page.tsx");
export const popLog: Load = () => import("#domains/monitoring/node-log/pop-log-page.tsx");
