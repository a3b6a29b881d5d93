/** The screens of mobile accounts in the menu. `#contract/menu.ts` says where. */
import { group, page } from "#kernel/menu.ts";

export const mobileTerminal = group(
  "/sdwan-system/mobileTerminal",
  ["移动终端", "Mobile terminal"],
  { icon: "mobile" },
  [
    page(
      "/sdwan-system/mobileTerminal/account",
      ["账号管理", "Account management"],
      "MobileAccount",
      { icon: "account" },
    ),
    page("/sdwan-system/mobileTerminal/config", ["配置管理", "Config management"], "MobileConfig", {
      icon: "config",
      may: "clientConfig",
    }),
  ],
);
