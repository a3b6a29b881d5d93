/** The screens of enterprises in the menu. `#contract/menu.ts` says where. */
import { defineMenu, page, searched } from "#kernel/menu.ts";

export const enterpriseScreens = defineMenu([
  page(
    "/sdwan-system/enterprisemanage",
    ["企业管理", "Enterprise management"],
    "EnterpriseManage",
    {
      icon: "enterprise",
    },
  ),
]);

export const enterpriseHidden = defineMenu([
  searched(
    "/sdwan-system/enterprisemanage/enterpriseInfo",
    ["企业信息", "Enterprise info"],
    "EnterpriseInfo",
  ),
  searched(
    "/sdwan-system/enterprisemanage/companyAudit",
    ["企业审核", "Company audit"],
    "CompanyAudit",
  ),
]);

export const transactions = defineMenu([
  page("/dealmanage/dealrecord", ["交易记录", "Transaction records"], "DealRecord", {
    icon: "deal",
  }),
  page("/dealmanage/rechargerecord", ["充值记录", "Recharge records"], "RechargeRecord", {
    icon: "recharge",
  }),
]);

export const configList = page("/system/configList", ["配置列表", "Config list"], "ConfigList", {
  icon: "config",
});

export const paramConfig = page(
  "/personalcenter/paramconfig",
  ["企业参数配置", "Enterprise parameter config"],
  "ParamConfig",
  { icon: "parameter" },
);
