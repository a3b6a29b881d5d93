import type { MenuPath } from "@weft/contract/menu.ts";

/** The screens before a session: also the login, which knows no router, names them. */
export const entrance = {
  login: "/login",
  forget: "/forget",
  /** Where templates are managed; links from outside bring a token along (section 2.1). */
  templates: "/business-system/templatemanage" satisfies MenuPath,
} as const;
