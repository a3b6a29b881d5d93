import { defineMessages } from "@weft/contract/kernel/message.ts";

export const enterpriseMessages = defineMessages({
  "enterprise.title": ["企业管理", "Enterprises"],
  "enterprise.add": ["新增企业", "Add enterprise"],
  "enterprise.editOf": ["编辑企业 {name}", "Edit enterprise {name}"],
  "enterprise.search": ["企业名称", "Enterprise name"],
  "enterprise.cpes": ["CPE", "CPEs"],
  "enterprise.topmost": ["顶级", "Topmost"],
  "enterprise.parentHelp": [
    "上级企业能看到下级的全部数据",
    "The parent sees everything of its subordinates",
  ],
  "enterprise.agentHelp": [
    "代理商可以管理自己的下级企业",
    "An agent (reseller) manages subordinate enterprises of its own",
  ],
  "enterprise.policyHelp": [
    "对本企业和下级的新密码生效，上级更严时以上级为准",
    "For new passwords here and below; a stricter parent prevails",
  ],
  "enterprise.place": ["地区", "Region"],
  "enterprise.contactGroup": ["联系方式", "Contact"],
  "enterprise.disableTitle": ["禁用企业 {name}？", "Disable enterprise {name}?"],
  "enterprise.disableBody": [
    "{name} 的账号立即退出，不能再登录；{cpeCount} 台 CPE 的业务不受影响，数据和配置保留。",
    "Accounts of {name} are logged out at once and can no longer log in; its {cpeCount} CPEs keep working, data and settings stay.",
  ],
  "enterprise.own": ["这是您自己的企业", "It is your own enterprise"],
  "enterprise.mayNotMove": ["缺少权限：编辑上级企业", "Permission missing: edit parent enterprise"],
  "enterprise.enableTitle": ["启用企业 {name}？", "Enable enterprise {name}?"],
  "enterprise.enableBody": ["{name} 的账号可以重新登录。", "Accounts of {name} can log in again."],
  "enterprise.removeTitle": ["移除企业 {name}？", "Remove enterprise {name}?"],
  "enterprise.removeBody": [
    "企业及其账号一并移除，不能恢复。下级企业、CPE 和网络空间需要先移除。",
    "The enterprise and its accounts are removed for good. Subordinates, CPEs and network spaces have to be removed first.",
  ],
  "enterprise.empty": [
    "还没有企业。企业是 CPE、账号和网络空间的归属，先新增 POP，再新增企业",
    "No enterprises yet. CPEs, accounts and network spaces belong to one; add a POP first, then an enterprise",
  ],
});
