/** The screens of policies in the menu. `#contract/menu.ts` says where. */
import { defineMenu, granted, grantedSearched, hidden } from "#kernel/menu.ts";

export const saasQuickly = granted(
  "/business-system/saasquickly",
  ["应用加速", "Application acceleration"],
  "SaasQuickly",
  [0, 1, 2],
  {
    icon: "acceleration",
  },
);

/** Addresses and host names that an enterprise keeps for the templates and devices that name them. */
export const objectGroups = granted(
  "/business-system/objectgroup",
  ["IP 组与 URL 组", "IP and URL groups"],
  "EnterpriseGroups",
  [0, 1, 2],
  { icon: "record" },
);

export const saasGroups = defineMenu([
  hidden(
    "/business-system/saasquickly/domain",
    ["域名加速组", "Domain acceleration group"],
    "SaasDomain",
  ),
  hidden("/business-system/saasquickly/dpi", ["DPI 加速组", "DPI acceleration group"], "SaasDpi"),
  hidden("/business-system/saasquickly/ip", ["IP 加速组", "IP acceleration group"], "SaasIp"),
  hidden(
    "/business-system/saasquickly/app",
    ["应用加速组", "Application acceleration group"],
    "SaasApp",
  ),
]);

export const blacklist = grantedSearched(
  "/system/blacklist",
  ["黑名单", "Blacklist"],
  "Blacklist",
  [0, 1, 2],
);
