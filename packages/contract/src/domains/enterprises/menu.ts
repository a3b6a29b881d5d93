/** The screens of enterprises in the menu. `#contract/menu.ts` says where. */
import { defineMenu, granted, grantedSearched } from "#kernel/menu.ts";

export const enterpriseScreens = defineMenu([
  granted(
    "/sdwan-system/enterprisemanage",
    ["企业管理", "Enterprise management"],
    "EnterpriseManage",
    [0, 1, 2],
    {
      icon: "enterprise",
    },
  ),
]);

export const enterpriseHidden = defineMenu([
  grantedSearched(
    "/sdwan-system/enterprisemanage/enterpriseInfo",
    ["企业信息", "Enterprise info"],
    "EnterpriseInfo",
    [0, 1, 2],
  ),
  grantedSearched(
    "/sdwan-system/enterprisemanage/companyAudit",
    ["企业审核", "Company audit"],
    "CompanyAudit",
    [0, 1, 2],
  ),
]);

export const transactions = defineMenu([
  granted("/dealmanage/dealrecord", ["交易记录", "Transaction records"], "DealRecord", [0, 1, 2], {
    icon: "deal",
  }),
  granted(
    "/dealmanage/rechargerecord",
    ["充值记录", "Recharge records"],
    "RechargeRecord",
    [0, 1, 2],
    {
      icon: "recharge",
    },
  ),
]);

export const configList = granted(
  "/system/configList",
  ["配置列表", "Config list"],
  "ConfigList",
  [0],
  {
    icon: "config",
  },
);

export const paramConfig = granted(
  "/personalcenter/paramconfig",
  ["企业参数配置", "Enterprise parameter config"],
  "ParamConfig",
  [0, 1, 2],
  { icon: "parameter" },
);
