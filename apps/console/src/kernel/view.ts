import type { ViewName } from "@weft/contract/menu.ts";
import type { ComponentType } from "react";

/** Fetches the screen of a view key; its file is fetched when the user goes there. */
export type Load = () => Promise<{ default: ComponentType }>;

/** Screens of some of the view keys. */
export type Views = Readonly<Partial<Record<ViewName, Load>>>;
