import { defineMessages } from "@weft/contract/kernel/message.ts";

export const enterpriseInfoMessages = defineMessages({
  "info.facts": ["企业", "Enterprise"],
  "info.contact": ["地址与联系方式", "Place and contact"],
  "info.placeChoose": ["省 / 市 / 区", "Province / city / district"],
  "info.edit": ["编辑", "Edit"],
  "info.editTitle": ["编辑地址与联系方式", "Edit place and contact"],
  "info.above": [
    "名称、合同和额度由上级企业修改",
    "The enterprise above changes name, contract and limits",
  ],
  "info.audit": ["企业审核", "Company audit"],
  "info.records": ["充值记录", "Recharge records"],
  "info.noEnd": ["长期有效", "Without an end"],
  "info.noLimit": ["不限", "No limit"],
});
