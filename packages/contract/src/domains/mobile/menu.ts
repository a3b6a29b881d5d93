/** The screens of mobile accounts in the menu. `#contract/menu.ts` says where. */
import { granted, group, page } from "#kernel/menu.ts";

export const mobileTerminal = group(
  "/sdwan-system/mobileTerminal",
  ["移动终端", "Mobile terminal"],
  { icon: "mobile" },
  [
    granted(
      "/sdwan-system/mobileTerminal/account",
      ["账号管理", "Account management"],
      "MobileAccount",
      [0, 1, 2],
      { icon: "account" },
    ),
    page("/sdwan-system/mobileTerminal/config", ["配置管理", "Config management"], "MobileConfig", {
      icon: "config",
      may: "clientConfig",
    }),
  ],
);
